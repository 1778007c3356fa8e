import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Logto returns. */
export interface LogtoProfile extends ProviderClaims {
  sub: string
  name: string | null
  username: string | null
  picture: string | null
  email: string | null
  email_verified: boolean
}

/**
 * Sign-in with Logto. It requires an `issuer`: `https://<tenant>.logto.app/oidc`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.logto.io/end-user-flows/sign-in-experience
 */
export default function logto(
  options: OIDCUserConfig<LogtoProfile> = {},
): OIDCConfig<LogtoProfile> {
  return {
    id: "logto",
    name: "Logto",
    type: "oidc",
    authorization: { params: { scope: "openid offline_access profile email" } },
    style: { brandColor: "#5d34f2" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
