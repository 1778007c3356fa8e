import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Mattermost. */
export interface MattermostProfile extends ProviderProfile {
  id: string
  username: string
  email: string
  email_verified?: boolean
  nickname: string
  first_name: string
  last_name: string
}

/**
 * Sign-in with Mattermost. It requires an `issuer`, the URL of your server.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 */
export default function mattermost(
  options: OAuthUserConfig<MattermostProfile> = {},
): OAuthConfig<MattermostProfile> {
  return {
    id: "mattermost",
    name: "Mattermost",
    type: "oauth",
    authorization: { url: "{issuer}/oauth/authorize", params: { scope: null } },
    token: "{issuer}/oauth/access_token",
    userinfo: "{issuer}/api/v4/users/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#1e325c" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.username ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    options,
  }
}
