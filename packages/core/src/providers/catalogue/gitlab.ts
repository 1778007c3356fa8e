import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that GitLab returns. */
export interface GitLabProfile extends ProviderClaims {
  sub: string
  name: string
  nickname: string
  preferred_username: string
  email: string
  email_verified: boolean
  /** URL of the user's page. */
  profile?: string
  picture: string
  groups?: string[]
}

/** The options of {@link gitlab}. */
export type GitLabOptions = OIDCUserConfig<GitLabProfile> & {
  /** Your own instance, such as `https://gitlab.example.com`: the same as `issuer`. */
  baseUrl?: string | undefined
}

/**
 * Sign-in with GitLab: gitlab.com, or your own instance with `baseUrl`. The application needs the scopes `openid`,
 * `profile` and `email`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.gitlab.com/integration/openid_connect_provider/
 */
export default function gitlab(options: GitLabOptions = {}): OIDCConfig<GitLabProfile> {
  const { baseUrl, ...rest } = options
  return {
    id: "gitlab",
    name: "GitLab",
    type: "oidc",
    issuer: "https://gitlab.com",
    // The ID token has neither name nor picture.
    idToken: false,
    style: { brandColor: "#fc6d26", loadLogo: () => import("@latchkey/pages/logos/gitlab") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.nickname ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options: { ...rest, issuer: rest.issuer ?? baseUrl?.replace(/\/$/, "") },
  }
}
