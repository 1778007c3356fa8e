import type { OAuthConfig, OAuthUserConfig } from "./types.ts"

/** What Naver says of a person, as far as the person agreed. */
export interface NaverProfile {
  /** `00` when all went well. */
  resultcode: string
  message: string
  response: {
    /** Of this person for this application. */
    id: string
    nickname?: string
    name?: string
    /** The address for contact, which the person may change. */
    email?: string
    profile_image?: string
  }
}

/**
 * Sign-in with Naver. What is asked for is set in Naver's console, not by a scope.
 *
 * Addresses: Naver says nothing of them.
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
    checks: ["state"],
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
