import { appendIssuerPath } from "../issuer-path.ts"
import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Asgardeo returns. You choose them in the application. */
export interface AsgardeoProfile extends ProviderClaims {
  sub: string
  given_name?: string
  family_name?: string
  username?: string
  email?: string
  email_verified?: boolean
  picture?: string
}

/**
 * Sign-in with Asgardeo. It requires an `issuer`: `https://api.asgardeo.io/t/<organisation>/oauth2/token`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/discover-oidc-configs/
 */
export default function asgardeo(
  options: OIDCUserConfig<AsgardeoProfile> = {},
): OIDCConfig<AsgardeoProfile> {
  return {
    id: "asgardeo",
    name: "Asgardeo",
    type: "oidc",
    style: { brandColor: "#c2410c" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.given_name ?? profile.username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options: appendIssuerPath(options, "/oauth2/token"),
  }
}
