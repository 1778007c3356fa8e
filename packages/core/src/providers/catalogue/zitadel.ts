import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that ZITADEL returns. */
export interface ZitadelProfile extends ProviderClaims {
  sub: string
  name: string
  nickname?: string
  preferred_username: string
  picture: string
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
}

/**
 * Sign-in with ZITADEL. It requires an `issuer`, the domain of the instance: `https://<instance>.zitadel.cloud`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://zitadel.com/docs/apis/openidoauth/endpoints
 */
export default function zitadel(
  options: OIDCUserConfig<ZitadelProfile> = {},
): OIDCConfig<ZitadelProfile> {
  return {
    id: "zitadel",
    name: "ZITADEL",
    type: "oidc",
    // By default, the ID token has no profile claims.
    idToken: false,
    style: { brandColor: "#2073c4" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
