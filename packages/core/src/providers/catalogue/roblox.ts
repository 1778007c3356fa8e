import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Roblox returns. */
export interface RobloxProfile extends ProviderClaims {
  sub: string
  /** The name to display. */
  name: string
  nickname: string
  /** The name of the account. */
  preferred_username: string
  /** Seconds since 1970. */
  created_at: number
  /** URL of the user's page. */
  profile: string
  picture: string | null
}

/**
 * Sign-in with Roblox.
 *
 * Addresses: none.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-reference
 */
export default function roblox(
  options: OIDCUserConfig<RobloxProfile> = {},
): OIDCConfig<RobloxProfile> {
  return {
    id: "roblox",
    name: "Roblox",
    type: "oidc",
    issuer: "https://apis.roblox.com/oauth/",
    authorization: { params: { scope: "openid profile" } },
    style: { brandColor: "#232527" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
