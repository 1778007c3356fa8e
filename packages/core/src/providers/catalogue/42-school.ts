import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of 42. */
export interface FortyTwoProfile extends ProviderProfile {
  id: number
  email: string
  login: string
  first_name: string
  last_name: string
  usual_full_name: string
  displayname: string
  image: { link: string | null; versions?: Readonly<Record<string, string>> }
}

/**
 * Sign-in with 42 School.
 *
 * Addresses: 42 does not say whether they are verified.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 */
export default function fortyTwo(
  options: OAuthUserConfig<FortyTwoProfile> = {},
): OAuthConfig<FortyTwoProfile> {
  return {
    id: "42-school",
    name: "42 School",
    type: "oauth",
    authorization: {
      url: "https://api.intra.42.fr/oauth/authorize",
      params: { scope: "public" },
    },
    token: "https://api.intra.42.fr/oauth/token",
    userinfo: "https://api.intra.42.fr/v2/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#00babc" },
    profile: (profile) => ({
      id: formatNumericId(profile.id),
      name: profile.usual_full_name ?? profile.login ?? null,
      email: profile.email ?? null,
      image: profile.image?.link ?? null,
    }),
    options,
  }
}
