import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** The claims that GitLab returns. */
export interface GitLabProfile extends Profile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  /** URL of the user's page. */
  profile?: string
  picture?: string
  groups?: string[]
}

/**
 * Sign-in with GitLab: gitlab.com, or your own instance with `issuer`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.gitlab.com/integration/openid_connect_provider/
 */
export default function gitlab(
  options: OIDCUserConfig<GitLabProfile> = {},
): OIDCConfig<GitLabProfile> {
  return {
    id: "gitlab",
    name: "GitLab",
    type: "oidc",
    issuer: "https://gitlab.com",
    // The ID token has neither name nor picture.
    idToken: false,
    style: { brandColor: "#fc6d26" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.nickname ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
