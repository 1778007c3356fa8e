import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Auth0 returns. */
export interface Auth0Profile extends ProviderClaims {
  sub: string
  name: string
  nickname: string
  preferred_username?: string
  picture: string
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
}

/**
 * Sign-in with Auth0. It requires an `issuer`, the domain of the tenant: `https://<tenant>.auth0.com`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow
 */
export default function auth0(
  options: OIDCUserConfig<Auth0Profile> = {},
): OIDCConfig<Auth0Profile> {
  return {
    id: "auth0",
    name: "Auth0",
    type: "oidc",
    style: { brandColor: "#eb5424", loadLogo: () => import("@latchkey/pages/logos/auth0") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.nickname ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
