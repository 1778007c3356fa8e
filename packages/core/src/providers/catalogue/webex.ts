import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Webex. */
export interface WebexProfile extends ProviderProfile {
  id: string
  emails: string[]
  displayName?: string
  nickName?: string
  firstName?: string
  lastName?: string
  avatar?: string
  orgId: string
}

/** The options of {@link webex}. */
export type WebexOptions = OAuthUserConfig<WebexProfile> & {
  /** The URL of the API. @defaultValue `"https://webexapis.com/v1"` */
  apiBaseUrl?: string | undefined
}

/**
 * Sign-in with Webex.
 *
 * Addresses: Webex does not say whether they are verified.
 *
 * @see https://developer.webex.com/create/docs/integrations
 */
export default function webex(options: WebexOptions = {}): OAuthConfig<WebexProfile> {
  const { apiBaseUrl = "https://webexapis.com/v1", ...rest } = options
  return {
    id: "webex",
    name: "Webex",
    type: "oauth",
    authorization: {
      url: `${apiBaseUrl}/authorize`,
      params: { scope: "spark:kms spark:people_read" },
    },
    token: `${apiBaseUrl}/access_token`,
    userinfo: `${apiBaseUrl}/people/me`,
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#07c1e4" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.displayName ?? profile.nickName ?? null,
      email: profile.emails?.[0] ?? null,
      image: profile.avatar ?? null,
    }),
    options: rest,
  }
}
