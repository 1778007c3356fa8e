import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** Claims that Amazon Cognito gives about a person. */
export interface CognitoProfile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  picture?: string
  email?: string
  email_verified?: boolean | "true" | "false"
  "cognito:username"?: string
  "cognito:groups"?: string[]
}

/**
 * Sign-in with Amazon Cognito. It needs an `issuer`, that of the user pool: `https://cognito-idp.<region>.amazonaws.com/<pool id>`.
 *
 * Addresses: proven where `email_verified` says so.
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
