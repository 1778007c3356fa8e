import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Facebook. */
export interface FacebookProfile extends ProviderProfile {
  /** The id of the user for this application. */
  id: string
  name: string
  /** Absent if there is none, or if the user did not share it. */
  email: string
  picture: { data: { url: string; is_silhouette?: boolean; height?: number; width?: number } }
}

const graph = "https://graph.facebook.com/v24.0"

/**
 * Sign-in with Facebook.
 *
 * Addresses: Facebook does not say whether they are verified.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
export default function facebook(
  options: OAuthUserConfig<FacebookProfile> = {},
): OAuthConfig<FacebookProfile> {
  return {
    id: "facebook",
    name: "Facebook",
    type: "oauth",
    authorization: {
      url: "https://www.facebook.com/v24.0/dialog/oauth",
      params: { scope: "public_profile,email" },
    },
    token: `${graph}/oauth/access_token`,
    userinfo: `${graph}/me?fields=id,name,email,picture.width(200)`,
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#0866ff", loadLogo: () => import("@latchkey/pages/logos/facebook") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: pictureOf(profile),
    }),
    options,
  }
}

/** Returns null for the default silhouette. */
function pictureOf({ picture }: FacebookProfile): string | null {
  return picture?.data?.is_silhouette ? null : (picture?.data?.url ?? null)
}
