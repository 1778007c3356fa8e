import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Frontegg returns. */
export interface FronteggProfile extends ProviderClaims {
  sub: string
  name: string
  email: string
  email_verified: boolean
  profilePictureUrl?: string
  tenantId?: string
  roles?: string[]
  permissions?: string[]
}

/**
 * Sign-in with Frontegg. It requires an `issuer`, the domain of the environment: `https://<subdomain>.frontegg.com`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developers.frontegg.com/guides/authentication/oauth
 */
export default function frontegg(
  options: OIDCUserConfig<FronteggProfile> = {},
): OIDCConfig<FronteggProfile> {
  return {
    id: "frontegg",
    name: "Frontegg",
    type: "oidc",
    wellKnown: "{issuer}/oauth/.well-known/openid-configuration",
    style: { brandColor: "#4461f2" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? profile.profilePictureUrl ?? null,
    }),
    options,
  }
}
