import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Dribbble. */
export interface DribbbleProfile extends ProviderProfile {
  id: number
  name: string
  login: string
  avatar_url: string
}

/**
 * Sign-in with Dribbble.
 *
 * Addresses: none.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 */
export default function dribbble(
  options: OAuthUserConfig<DribbbleProfile> = {},
): OAuthConfig<DribbbleProfile> {
  return {
    id: "dribbble",
    name: "Dribbble",
    type: "oauth",
    authorization: {
      url: "https://dribbble.com/oauth/authorize",
      params: { scope: "public" },
    },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#ea4c89" },
    profile: (profile) => ({
      id: formatNumericId(profile.id),
      name: profile.name ?? profile.login ?? null,
      email: profile["email"] ?? null,
      image: profile.avatar_url ?? null,
    }),
    options,
  }
}
