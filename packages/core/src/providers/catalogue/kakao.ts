import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Kakao, with the fields that the user agreed to share. */
export interface KakaoProfile extends ProviderProfile {
  id: number
  kakao_account?: ProviderProfile & {
    profile?: ProviderProfile & {
      nickname?: string
      profile_image_url?: string
      /** True for the default picture. */
      is_default_image?: boolean
    }
    email?: string
    /** False if another Kakao account has taken over the address. */
    is_email_valid?: boolean
    is_email_verified?: boolean
  }
}

/**
 * Sign-in with Kakao. You choose the fields in Kakao's console, not by scope.
 *
 * Addresses: verified if both `is_email_valid` and `is_email_verified` are true.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 */
export default function kakao(
  options: OAuthUserConfig<KakaoProfile> = {},
): OAuthConfig<KakaoProfile> {
  return {
    id: "kakao",
    name: "Kakao",
    type: "oauth",
    authorization: { url: "https://kauth.kakao.com/oauth/authorize", params: { scope: null } },
    token: "https://kauth.kakao.com/oauth/token",
    userinfo: "https://kapi.kakao.com/v2/user/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#fee500" },
    profile: ({ id, kakao_account: account }) => ({
      id: formatNumericId(id),
      name: account?.profile?.nickname ?? null,
      email: account?.email ?? null,
      image: account?.profile?.is_default_image
        ? null
        : (account?.profile?.profile_image_url ?? null),
    }),
    emailVerified: ({ kakao_account: account }) =>
      account?.email === undefined
        ? undefined
        : account.is_email_valid === true && account.is_email_verified === true,
    options,
  }
}
