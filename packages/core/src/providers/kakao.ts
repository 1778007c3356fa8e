import { formatNumericId } from "./numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig } from "./types.ts"

/** What Kakao says of a person, as far as the person agreed. */
export interface KakaoProfile {
  id: number
  kakao_account?: {
    profile?: {
      nickname?: string
      profile_image_url?: string
      /** True for the picture that everybody has at first. */
      is_default_image?: boolean
    }
    email?: string
    /** False when the address was taken over by another Kakao account. */
    is_email_valid?: boolean
    is_email_verified?: boolean
  }
}

/**
 * Sign-in with Kakao. What is asked for is set in Kakao's console, not by a scope.
 *
 * Addresses: proven where Kakao calls them both valid and verified.
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
    checks: ["state"],
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
