import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Duende IdentityServer returns. */
export interface DuendeISUser extends ProviderClaims {
  sub: string
  name: string
  preferred_username?: string
  given_name?: string
  family_name?: string
  email: string
  email_verified?: boolean
  picture?: string
}

/**
 * Sign-in with Duende IdentityServer. It requires an `issuer`, the URL of your server.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.duendesoftware.com/identityserver/reference/endpoints/discovery/
 */
export default function duendeIdentityServer6(
  options: OIDCUserConfig<DuendeISUser> = {},
): OIDCConfig<DuendeISUser> {
  return {
    id: "duende-identity-server6",
    name: "Duende IdentityServer",
    type: "oidc",
    // By default, the ID token has only the id of the user.
    idToken: false,
    style: { brandColor: "#1b365d" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
