import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of WordPress.com. */
export interface WordPressProfile extends ProviderProfile {
  ID: number
  display_name: string
  username: string
  email: string
  email_verified?: boolean
  avatar_URL: string
  profile_URL: string
}

/**
 * Sign-in with WordPress.com.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developer.wordpress.com/docs/api/wpcc/
 */
export default function wordpress(
  options: OAuthUserConfig<WordPressProfile> = {},
): OAuthConfig<WordPressProfile> {
  return {
    id: "wordpress",
    name: "WordPress.com",
    type: "oauth",
    authorization: {
      url: "https://public-api.wordpress.com/oauth2/authorize",
      params: { scope: "auth" },
    },
    token: "https://public-api.wordpress.com/oauth2/token",
    userinfo: "https://public-api.wordpress.com/rest/v1/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#0675c4", loadLogo: () => import("@latchkey/pages/logos/wordpress") },
    profile: (profile) => ({
      id: formatNumericId(profile.ID),
      name: profile.display_name ?? profile.username ?? null,
      email: profile.email ?? null,
      image: profile.avatar_URL ?? null,
    }),
    options,
  }
}
