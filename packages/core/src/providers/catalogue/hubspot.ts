import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** The metadata of an access token, with its user. */
export interface HubSpotProfile extends ProviderProfile {
  /** The address of the user. */
  user: string
  user_id: number
  /** The account of the company. */
  hub_id: number
  hub_domain: string
  scopes: string[]
}

const tokenInfo = "https://api.hubapi.com/oauth/v1/access-tokens"

/**
 * Sign-in with HubSpot. The scopes must be those of the application.
 *
 * Addresses: HubSpot does not say whether they are verified.
 *
 * @see https://developers.hubspot.com/docs/api-reference/auth-oauth-v1/access-tokens/get-oauth-v1-access-tokens-token
 */
export default function hubspot(
  options: OAuthUserConfig<HubSpotProfile> = {},
): OAuthConfig<HubSpotProfile> {
  return {
    id: "hubspot",
    name: "HubSpot",
    type: "oauth",
    authorization: {
      url: "https://app.hubspot.com/oauth/authorize",
      params: { scope: "oauth" },
    },
    token: "https://api.hubapi.com/oauth/v1/token",
    userinfo: { url: tokenInfo, request: fetchTokenInfo },
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#ff7a59" },
    profile: (profile) => ({
      id: String(profile.user_id),
      name: profile.user ?? null,
      email: profile.user ?? null,
      image: null,
    }),
    options,
  }
}

/** The URL contains the token, so that no error may quote it. */
async function fetchTokenInfo({ tokens, fetch }: UserinfoContext): Promise<unknown> {
  const response = await fetch(`${tokenInfo}/${encodeURIComponent(String(tokens.access_token))}`)
  if (response.ok) return response.json()
  throw new TypeError(`${tokenInfo} returned status ${response.status} instead of the user profile`)
}
