import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A picture, with its size in pixels. */
export interface SpotifyImage {
  url: string
  height: number | null
  width: number | null
}

/** A user profile of Spotify. */
export interface SpotifyProfile extends ProviderProfile {
  id: string
  display_name: string | null
  /** Unverified user input. */
  email: string
  images: SpotifyImage[]
}

/**
 * Sign-in with Spotify.
 *
 * Addresses: never verified, as Spotify documents.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 */
export default function spotify(
  options: OAuthUserConfig<SpotifyProfile> = {},
): OAuthConfig<SpotifyProfile> {
  return {
    id: "spotify",
    name: "Spotify",
    type: "oauth",
    authorization: {
      url: "https://accounts.spotify.com/authorize",
      params: { scope: "user-read-email" },
    },
    token: "https://accounts.spotify.com/api/token",
    userinfo: "https://api.spotify.com/v1/me",
    style: { brandColor: "#1ed760", loadLogo: () => import("@latchkey/pages/logos/spotify") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.display_name ?? null,
      email: profile.email ?? null,
      image: profile.images?.[0]?.url ?? null,
    }),
    emailVerified: () => false,
    options,
  }
}
