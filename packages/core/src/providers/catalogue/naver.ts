import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Naver, with the fields that the user agreed to share. */
export interface NaverProfile extends ProviderProfile {
  /** `00` if the request succeeded. */
  resultcode: string
  message: string
  response: ProviderProfile & {
    /** The id of the user for this application. */
    id: string
    nickname?: string
    name?: string
    /** The contact address, which the user can change. */
    email?: string
    profile_image?: string
  }
}

/**
 * Sign-in with Naver. You choose the fields in Naver's console, not by scope.
 *
 * Addresses: Naver does not say whether they are verified.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 */
export default function naver(
  options: OAuthUserConfig<NaverProfile> = {},
): OAuthConfig<NaverProfile> {
  return {
    id: "naver",
    name: "Naver",
    type: "oauth",
    authorization: { url: "https://nid.naver.com/oauth2.0/authorize", params: { scope: null } },
    token: "https://nid.naver.com/oauth2.0/token",
    userinfo: "https://openapi.naver.com/v1/nid/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#03c75a" },
    profile: ({ response }) => ({
      id: response.id,
      name: response.nickname ?? response.name ?? null,
      email: response.email ?? null,
      image: response.profile_image ?? null,
    }),
    options,
  }
}
