import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of LinkedIn. */
export interface LinkedInProfile extends ProviderProfile {
  /** The id of the user for this application. */
  sub: string
  name: string
  given_name: string
  family_name: string
  picture: string
  locale?: string | { country: string; language: string }
  /** Absent if there is none, or if the user did not share it. */
  email: string
  email_verified: boolean
}

/**
 * Sign-in with LinkedIn. The claims come from the userinfo endpoint, because ID tokens lack the nonce and the web flow
 * refuses PKCE.
 *
 * Addresses: verified if `email_verified` is true.
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
    style: { brandColor: "#0a66c2", loadLogo: () => import("@latchkey/pages/logos/linkedin") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
