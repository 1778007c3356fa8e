import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that PingOne returns. */
export interface PingProfile extends ProviderClaims {
  sub: string
  name?: string
  given_name?: string
  family_name?: string
  preferred_username: string
  email?: string
  email_verified?: boolean
  picture?: string
}

/**
 * Sign-in with PingOne. It requires the `issuer` of the environment: `https://auth.pingone.com/<environment id>/as`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://apidocs.pingidentity.com/pingone/platform/v1/api/#openid-connectoauth-2
 */
export default function pingID(options: OIDCUserConfig<PingProfile> = {}): OIDCConfig<PingProfile> {
  return {
    id: "ping-id",
    name: "Ping Identity",
    type: "oidc",
    style: { brandColor: "#b3282d" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
