import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Keycloak returns. */
export interface KeycloakProfile extends ProviderClaims {
  sub: string
  name: string
  nickname?: string
  preferred_username: string
  picture: string
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
}

/**
 * Sign-in with Keycloak. It requires an `issuer`, the URL of the realm: `https://<host>/realms/<realm>`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 */
export default function keycloak(
  options: OIDCUserConfig<KeycloakProfile> = {},
): OIDCConfig<KeycloakProfile> {
  return {
    id: "keycloak",
    name: "Keycloak",
    type: "oidc",
    style: { brandColor: "#4d4d4d", loadLogo: () => import("@latchkey/pages/logos/keycloak") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
