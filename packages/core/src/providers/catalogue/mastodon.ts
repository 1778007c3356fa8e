import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Mastodon. */
export interface MastodonProfile extends ProviderProfile {
  /** The id of the account on this server. */
  id: string
  username: string
  acct: string
  display_name: string
  /** URL of the user's page. */
  url: string
  avatar: string
  avatar_static: string
}

/**
 * Sign-in with Mastodon. It requires an `issuer`, the URL of the server.
 *
 * Addresses: none.
 *
 * @see https://docs.joinmastodon.org/spec/oauth/
 */
export default function mastodon(
  options: OAuthUserConfig<MastodonProfile> = {},
): OAuthConfig<MastodonProfile> {
  return {
    id: "mastodon",
    name: "Mastodon",
    type: "oauth",
    authorization: { url: "{issuer}/oauth/authorize", params: { scope: "read" } },
    token: "{issuer}/oauth/token",
    userinfo: "{issuer}/api/v1/accounts/verify_credentials",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#6364ff", loadLogo: () => import("@latchkey/pages/logos/mastodon") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.username ?? null,
      email: null,
      image: profile.avatar_static ?? null,
    }),
    options,
  }
}
