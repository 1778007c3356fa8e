import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Reddit. */
export interface RedditProfile extends ProviderProfile {
  id: string
  /** The name of the account. */
  name: string
  /** The user's avatar, or an empty string. */
  snoovatar_img?: string
  icon_img?: string
}

/**
 * Sign-in with Reddit.
 *
 * Addresses: none.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 */
export default function reddit(
  options: OAuthUserConfig<RedditProfile> = {},
): OAuthConfig<RedditProfile> {
  return {
    id: "reddit",
    name: "Reddit",
    type: "oauth",
    authorization: {
      url: "https://www.reddit.com/api/v1/authorize",
      params: { scope: "identity" },
    },
    token: "https://www.reddit.com/api/v1/access_token",
    // Without `raw_json`, URLs are escaped for HTML.
    userinfo: "https://oauth.reddit.com/api/v1/me?raw_json=1",
    checks: ["state"],
    style: { brandColor: "#ff4500", loadLogo: () => import("@latchkey/pages/logos/reddit") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name,
      email: null,
      image: profile.snoovatar_img || profile.icon_img || null,
    }),
    options,
  }
}
