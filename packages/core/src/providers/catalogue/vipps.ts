import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Vipps MobilePay returns. */
export interface VippsProfile extends ProviderClaims {
  sub: string
  name: string
  given_name?: string
  family_name?: string
  email: string
  email_verified: boolean
}

/**
 * Sign-in with Vipps MobilePay.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 */
export default function vipps(
  options: OIDCUserConfig<VippsProfile> = {},
): OIDCConfig<VippsProfile> {
  return {
    id: "vipps",
    name: "Vipps",
    type: "oidc",
    issuer: "https://api.vipps.no/access-management-1.0/access/",
    authorization: { params: { scope: "openid name email" } },
    // The ID token has only the id of the user.
    idToken: false,
    checks: ["pkce", "nonce"],
    style: { brandColor: "#ff5b24" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
