import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** The claims that Slack returns. */
export interface SlackProfile extends Profile {
  sub: string
  "https://slack.com/user_id": string
  "https://slack.com/team_id": string
  "https://slack.com/team_name"?: string
  "https://slack.com/team_domain"?: string
  name?: string
  picture?: string
  email?: string
  email_verified?: boolean
}

/**
 * Sign-in with Slack.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 */
export default function slack(
  options: OIDCUserConfig<SlackProfile> = {},
): OIDCConfig<SlackProfile> {
  return {
    id: "slack",
    name: "Slack",
    type: "oidc",
    issuer: "https://slack.com",
    checks: ["nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#4a154b" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
