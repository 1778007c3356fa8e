import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Strava. */
export interface StravaProfile extends ProviderProfile {
  id: number
  username?: string | null
  firstname?: string | null
  lastname?: string | null
  /** URL of the picture, or a relative path if there is none. */
  profile: string
}

/**
 * Sign-in with Strava.
 *
 * Addresses: none.
 *
 * @see https://developers.strava.com/docs/authentication/
 */
export default function strava(
  options: OAuthUserConfig<StravaProfile> = {},
): OAuthConfig<StravaProfile> {
  return {
    id: "strava",
    name: "Strava",
    type: "oauth",
    authorization: { url: "https://www.strava.com/oauth/authorize", params: { scope: "read" } },
    token: "https://www.strava.com/oauth/token",
    userinfo: "https://www.strava.com/api/v3/athlete",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#fc4c02" },
    profile: (profile) => ({
      id: formatNumericId(profile.id),
      name: [profile.firstname, profile.lastname].filter(Boolean).join(" ") || null,
      email: null,
      image: profile.profile?.startsWith("https://") ? profile.profile : null,
    }),
    options,
  }
}
