import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** Claims that Salesforce gives about a person. */
export interface SalesforceProfile extends Profile {
  /** A URL that names organisation and person. */
  sub: string
  user_id?: string
  organization_id?: string
  preferred_username?: string
  name?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  picture?: string
}

/**
 * Sign-in with Salesforce. `issuer` may be the My Domain URL of one organisation.
 *
 * Addresses: proven where `email_verified` says so.
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
    // What the ID token has depends on the settings of the connected application.
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
