import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of TikTok. */
export interface TiktokProfile extends ProviderProfile {
  data: {
    user: ProviderProfile & {
      /** The id of the user for this application. */
      open_id: string
      /** The id of the user for all applications of the same developer. */
      union_id?: string
      display_name: string
      avatar_url: string
    }
  }
}

/** @deprecated use {@link TiktokProfile} */
export type TikTokProfile = TiktokProfile

/**
 * Sign-in with TikTok (Login Kit for Web). `clientId` is the value that TikTok calls client key.
 *
 * Addresses: none.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web
 */
export default function tiktok(
  options: OAuthUserConfig<TiktokProfile> = {},
): OAuthConfig<TiktokProfile> {
  return {
    id: "tiktok",
    name: "TikTok",
    type: "oauth",
    authorization: {
      url: "https://www.tiktok.com/v2/auth/authorize/",
      params: { scope: "user.info.basic" },
    },
    token: "https://open.tiktokapis.com/v2/oauth/token/",
    userinfo:
      "https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name",
    clientIdParameter: "client_key",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#161823", loadLogo: () => import("@latchkey/pages/logos/tiktok") },
    profile: ({ data: { user } }) => ({
      id: user.open_id,
      name: user.display_name ?? null,
      email: null,
      image: user.avatar_url ?? null,
    }),
    options,
  }
}
