import { fetchResource } from "../fetch-resource.ts"
import { addPrimaryAddress } from "../github-address.ts"
import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of GitHub. */
export interface GitHubProfile extends ProviderProfile {
  id: number
  login: string
  name: string | null
  /** The primary address, or the public one if the token does not grant access to the addresses. */
  email: string | null
  /** Whether the primary address is verified; absent if the token does not grant access to the addresses. */
  email_verified?: boolean
  avatar_url: string
  html_url: string
  company: string | null
  blog: string | null
  location: string | null
  bio: string | null
  twitter_username?: string | null
  /** ISO 8601. */
  created_at: string
}

/** An address of a GitHub user. */
export interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
  visibility: "public" | "private" | null
}

/** The options of {@link github}. */
export type GitHubOptions = OAuthUserConfig<GitHubProfile> & {
  /** A GitHub Enterprise Server, such as `https://github.example.com`. */
  enterprise?: { baseUrl: string } | undefined
}

/**
 * Sign-in with GitHub.
 *
 * Addresses: the primary one, verified if GitHub has verified it; the public one never counts as verified.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export default function github(options: GitHubOptions = {}): OAuthConfig<GitHubProfile> {
  const { enterprise, ...rest } = options
  const base = enterprise?.baseUrl.replace(/\/$/, "") ?? "https://github.com"
  const api = enterprise ? `${base}/api/v3` : "https://api.github.com"
  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    authorization: {
      url: `${base}/login/oauth/authorize`,
      params: { scope: "read:user user:email" },
    },
    token: `${base}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      request: async (context) => {
        const profile = await fetchResource<GitHubProfile>(context, `${api}/user`)
        return addPrimaryAddress(context, profile, `${api}/user`)
      },
    },
    style: { brandColor: "#24292f", loadLogo: () => import("@latchkey/pages/logos/github") },
    profile: (profile) => ({
      id: formatNumericId(profile.id),
      name: profile.name ?? profile.login,
      email: profile.email,
      image: profile.avatar_url,
    }),
    // Without the scope, the address must not be trusted more than with it: a user can remove the scope.
    emailVerified: ({ email_verified }) => email_verified === true,
    options: rest,
  }
}
