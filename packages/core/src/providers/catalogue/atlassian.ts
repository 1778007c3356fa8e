import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Atlassian. */
export interface AtlassianProfile extends ProviderProfile {
  account_id: string
  account_type?: string
  account_status?: string
  name: string
  nickname?: string
  picture: string
  /** Null if the user keeps it private. */
  email?: string | null
}

/**
 * Sign-in with Atlassian (OAuth 2.0, 3LO). The application needs the User identity API.
 *
 * Addresses: Atlassian does not say whether they are verified.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 */
export default function atlassian(
  options: OAuthUserConfig<AtlassianProfile> = {},
): OAuthConfig<AtlassianProfile> {
  return {
    id: "atlassian",
    name: "Atlassian",
    type: "oauth",
    authorization: {
      url: "https://auth.atlassian.com/authorize",
      params: { scope: "read:me", audience: "api.atlassian.com", prompt: "consent" },
    },
    token: "https://auth.atlassian.com/oauth/token",
    userinfo: "https://api.atlassian.com/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    checks: ["state"],
    style: { brandColor: "#1868db", loadLogo: () => import("@latchkey/pages/logos/atlassian") },
    profile: (profile) => ({
      id: profile.account_id,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
