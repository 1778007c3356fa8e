import { appendIssuerPath } from "../issuer-path.ts"
import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that OneLogin returns. */
export interface OneLoginProfile extends ProviderClaims {
  sub: string
  name: string
  given_name: string
  family_name: string
  preferred_username: string
  email: string
  email_verified?: boolean
}

/**
 * Sign-in with OneLogin. It requires an `issuer`: `https://<subdomain>.onelogin.com/oidc/2`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developers.onelogin.com/openid-connect
 */
export default function onelogin(
  options: OIDCUserConfig<OneLoginProfile> = {},
): OIDCConfig<OneLoginProfile> {
  return {
    id: "onelogin",
    name: "OneLogin",
    type: "oidc",
    style: { brandColor: "#1c1f2a" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options: appendIssuerPath(options, "/oidc/2"),
  }
}
