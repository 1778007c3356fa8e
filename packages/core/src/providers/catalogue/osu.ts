import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of osu!. */
export interface OsuProfile extends ProviderProfile {
  id: number
  username: string
  avatar_url: string
  country_code: string
}

/**
 * Sign-in with osu!.
 *
 * Addresses: none.
 *
 * @see https://osu.ppy.sh/docs/index.html#authorization-code-grant
 */
export default function osu(options: OAuthUserConfig<OsuProfile> = {}): OAuthConfig<OsuProfile> {
  return {
    id: "osu",
    name: "osu!",
    type: "oauth",
    authorization: {
      url: "https://osu.ppy.sh/oauth/authorize",
      params: { scope: "identify" },
    },
    token: "https://osu.ppy.sh/oauth/token",
    userinfo: "https://osu.ppy.sh/api/v2/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#da5892" },
    profile: (profile) => ({
      id: formatNumericId(profile.id),
      name: profile.username ?? null,
      email: null,
      image: profile.avatar_url ?? null,
    }),
    options,
  }
}
