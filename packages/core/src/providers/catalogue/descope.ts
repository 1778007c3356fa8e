import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Descope returns. */
export interface DescopeProfile extends ProviderClaims {
  sub: string
  name: string
  email: string
  email_verified: boolean
  phone_number?: string
  phone_number_verified?: boolean
  picture?: string
}

/**
 * Sign-in with Descope. It requires the `issuer` of the project: `https://api.descope.com/<project id>`. `clientId` is the
 * id of the project, and `clientSecret` an access key.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.descope.com/identity-federation/applications/oidc-apps/oidc-endpoints
 */
export default function descope(
  options: OIDCUserConfig<DescopeProfile> = {},
): OIDCConfig<DescopeProfile> {
  return {
    id: "descope",
    name: "Descope",
    type: "oidc",
    style: { brandColor: "#006af5" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
