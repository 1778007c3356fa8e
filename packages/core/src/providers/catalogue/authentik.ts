import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that authentik returns. */
export interface AuthentikProfile extends ProviderClaims {
  sub: string
  name: string
  nickname: string
  preferred_username: string
  picture?: string
  email: string
  email_verified: boolean
  groups: string[]
  given_name: string
  /** Only with a scope mapping that adds it. */
  family_name: string
}

/**
 * Sign-in with authentik. It requires the `issuer` of the application, with the trailing slash:
 * `https://<host>/application/o/<slug>/`.
 *
 * Addresses: verified if `email_verified` is true; before release 2025.10, it was true for every address.
 *
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
 */
export default function authentik(
  options: OIDCUserConfig<AuthentikProfile> = {},
): OIDCConfig<AuthentikProfile> {
  return {
    id: "authentik",
    name: "authentik",
    type: "oidc",
    style: { brandColor: "#fd4b2d" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
