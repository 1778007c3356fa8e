import type { OAuthConfig, OAuthUserConfig } from "./types.ts"

/** What LinkedIn says of a person. */
export interface LinkedInProfile {
  /** Of this person for this application. */
  sub: string
  name?: string
  given_name?: string
  family_name?: string
  picture?: string
  locale?: string | { country: string; language: string }
  /** Left out when there is none, or when the person did not share it. */
  email?: string
  email_verified?: boolean
}

/**
 * Sign-in with LinkedIn. Its ID tokens come without the nonce, and its web flow refuses PKCE, so that the claims
 * are asked for at the userinfo endpoint.
 *
 * Addresses: proven where `email_verified` says so.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
export default function linkedin(
  options: OAuthUserConfig<LinkedInProfile> = {},
): OAuthConfig<LinkedInProfile> {
  return {
    id: "linkedin",
    name: "LinkedIn",
    type: "oauth",
    authorization: {
      url: "https://www.linkedin.com/oauth/v2/authorization",
      params: { scope: "openid profile email" },
    },
    token: "https://www.linkedin.com/oauth/v2/accessToken",
    userinfo: "https://api.linkedin.com/v2/userinfo",
    client: { token_endpoint_auth_method: "client_secret_post" },
    checks: ["state"],
    style: { brandColor: "#0a66c2" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
