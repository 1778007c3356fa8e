import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Slack returns. */
export interface SlackProfile extends ProviderClaims {
  sub: string
  "https://slack.com/user_id": string
  "https://slack.com/team_id": string
  "https://slack.com/team_name"?: string
  "https://slack.com/team_domain"?: string
  name: string
  picture: string
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
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
    style: { brandColor: "#4a154b", loadLogo: () => import("@latchkey/pages/logos/slack") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
