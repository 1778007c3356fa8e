import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Zoom. */
export interface ZoomProfile extends ProviderProfile {
  id: string
  first_name: string
  last_name: string
  display_name?: string
  email: string
  /** 1 if the address is verified, otherwise 0. */
  verified?: 0 | 1
  pic_url?: string
}

/**
 * Sign-in with Zoom. You choose the scopes in the application. It needs `user:read:user`.
 *
 * Addresses: verified if `verified` is true.
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
    style: { brandColor: "#0b5cff", loadLogo: () => import("@latchkey/pages/logos/zoom") },
    profile: (profile) => ({
      id: profile.id,
      name: fullName(profile) ?? profile.display_name ?? null,
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
