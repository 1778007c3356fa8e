import type { OAuthConfig, OAuthUserConfig } from "./types.ts"

/** What Zoom says of a person. */
export interface ZoomProfile {
  id: string
  first_name?: string
  last_name?: string
  display_name?: string
  email?: string
  /** 1 when the address is verified, else 0. */
  verified?: 0 | 1
  pic_url?: string
}

/**
 * Sign-in with Zoom. Scopes are set with the application; it needs `user:read:user`.
 *
 * Addresses: proven where `verified` says so.
 *
 * @see https://developers.zoom.us/docs/integrations/oauth/
 */
export default function zoom(options: OAuthUserConfig<ZoomProfile> = {}): OAuthConfig<ZoomProfile> {
  return {
    id: "zoom",
    name: "Zoom",
    type: "oauth",
    authorization: { url: "https://zoom.us/oauth/authorize", params: { scope: null } },
    token: "https://zoom.us/oauth/token",
    userinfo: "https://api.zoom.us/v2/users/me",
    style: { brandColor: "#0b5cff" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.display_name ?? fullName(profile),
      email: profile.email ?? null,
      image: profile.pic_url ?? null,
    }),
    emailVerified: ({ verified }) => verified,
    options,
  }
}

function fullName({ first_name, last_name }: ZoomProfile): string | null {
  return [first_name, last_name].filter(Boolean).join(" ") || null
}
