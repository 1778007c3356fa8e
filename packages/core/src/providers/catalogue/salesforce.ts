import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Salesforce returns. */
export interface SalesforceProfile extends ProviderClaims {
  /** A URL with the ids of the organisation and the user. */
  sub: string
  user_id: string
  organization_id: string
  preferred_username: string
  name: string
  nickname: string
  email: string
  email_verified: boolean
  picture: string
}

/**
 * Sign-in with Salesforce. `issuer` can be the My Domain URL of an organisation.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm
 */
export default function salesforce(
  options: OIDCUserConfig<SalesforceProfile> = {},
): OIDCConfig<SalesforceProfile> {
  return {
    id: "salesforce",
    name: "Salesforce",
    type: "oidc",
    issuer: "https://login.salesforce.com",
    // The claims in the ID token depend on the settings of the connected application.
    idToken: false,
    style: { brandColor: "#066afe" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.nickname ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
