import { fetchResource } from "../fetch-resource.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** The account of a user of Mailchimp. */
export interface MailchimpProfile extends ProviderProfile {
  /** The data center of the account, the prefix of API URLs. */
  dc: string
  accountname: string
  user_id: number
  login: ProviderProfile & {
    login_id: number
    login_name: string
    login_email: string
    avatar?: string | null
  }
}

const metadata = "https://login.mailchimp.com/oauth2/metadata"

/**
 * Sign-in with Mailchimp.
 *
 * Addresses: Mailchimp does not say whether they are verified.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 */
export default function mailchimp(
  options: OAuthUserConfig<MailchimpProfile> = {},
): OAuthConfig<MailchimpProfile> {
  return {
    id: "mailchimp",
    name: "Mailchimp",
    type: "oauth",
    authorization: {
      url: "https://login.mailchimp.com/oauth2/authorize",
      params: { scope: null },
    },
    token: "https://login.mailchimp.com/oauth2/token",
    userinfo: { url: metadata, request: fetchMetadata },
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#ffe01b" },
    profile: ({ accountname, login }) => ({
      id: String(login.login_id),
      name: accountname ?? null,
      email: login.login_email ?? null,
      image: null,
    }),
    options,
  }
}

/** Mailchimp documents a scheme of its own for the token. */
function fetchMetadata(context: UserinfoContext): Promise<unknown> {
  const authorization = `OAuth ${context.tokens.access_token}`
  return fetchResource(context, metadata, { headers: { authorization } })
}
