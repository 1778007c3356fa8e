import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Okta returns. */
export interface OktaProfile extends ProviderClaims {
  sub: string
  name: string
  nickname?: string
  preferred_username: string
  picture?: string
  email: string
  email_verified: boolean
  groups?: string[]
  given_name: string
  family_name: string
}

/**
 * Sign-in with Okta. It requires an `issuer`, such as `https://<organisation>.okta.com`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/
 */
export default function okta(options: OIDCUserConfig<OktaProfile> = {}): OIDCConfig<OktaProfile> {
  return {
    id: "okta",
    name: "Okta",
    type: "oidc",
    // ID tokens lack the profile claims if an access token is issued as well.
    idToken: false,
    style: { brandColor: "#00297a", loadLogo: () => import("@latchkey/pages/logos/okta") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
