import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** Claims that authentik gives about a person. */
export interface AuthentikProfile extends Profile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  picture?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

/**
 * Sign-in with authentik. It needs an `issuer`, that of the application, with its last slash:
 * `https://<host>/application/o/<slug>/`.
 *
 * Addresses: proven where `email_verified` says so; before release 2025.10 it said so of all, unproven ones too.
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
