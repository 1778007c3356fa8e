import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Threads. */
export interface ThreadsProfile extends ProviderProfile {
  id: string
  username: string
  name?: string
  threads_profile_picture_url?: string
}

/**
 * Sign-in with Threads.
 *
 * Addresses: none.
 *
 * @see https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions
 */
export default function threads(
  options: OAuthUserConfig<ThreadsProfile> = {},
): OAuthConfig<ThreadsProfile> {
  return {
    id: "threads",
    name: "Threads",
    type: "oauth",
    authorization: {
      url: "https://threads.net/oauth/authorize",
      params: { scope: "threads_basic" },
    },
    token: "https://graph.threads.net/oauth/access_token",
    userinfo:
      "https://graph.threads.net/v1.0/me?fields=id,username,name,threads_profile_picture_url",
    client: { token_endpoint_auth_method: "client_secret_post" },
    checks: ["state"],
    style: { brandColor: "#000000", loadLogo: () => import("@latchkey/pages/logos/threads") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.username ?? null,
      email: null,
      image: profile.threads_profile_picture_url ?? null,
    }),
    options,
  }
}
