import type { OIDCConfig, OIDCUserConfig, ProviderProfile } from "../types.ts"

/** The claims that Amazon Cognito returns. */
export interface CognitoProfile extends ProviderProfile {
  sub: string
  name: string
  nickname?: string
  preferred_username?: string
  picture: string
  email: string
  email_verified?: boolean | "true" | "false"
  "cognito:username"?: string
  "cognito:groups"?: string[]
}

/**
 * Sign-in with Amazon Cognito. It requires the `issuer` of the user pool:
 * `https://cognito-idp.<region>.amazonaws.com/<pool id>`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 */
export default function cognito(
  options: OIDCUserConfig<CognitoProfile> = {},
): OIDCConfig<CognitoProfile> {
  return {
    id: "cognito",
    name: "Amazon Cognito",
    type: "oidc",
    style: { brandColor: "#dd344c" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile["cognito:username"] ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
