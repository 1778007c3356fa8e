import { parseJsonObject } from "../../objects.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Instagram. */
export interface InstagramProfile extends ProviderProfile {
  /** The id of the user for this application. */
  id: string
  /** The id of the professional account. */
  user_id: string
  username: string
  name?: string
  account_type?: string
  profile_picture_url?: string
}

/**
 * Sign-in with Instagram, for professional accounts only: there is no sign-in for private ones.
 *
 * Addresses: none.
 *
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 */
export default function instagram(
  options: OAuthUserConfig<InstagramProfile> = {},
): OAuthConfig<InstagramProfile> {
  return {
    id: "instagram",
    name: "Instagram",
    type: "oauth",
    authorization: {
      url: "https://www.instagram.com/oauth/authorize",
      params: { scope: "instagram_business_basic" },
    },
    token: { url: "https://api.instagram.com/oauth/access_token", conform: unwrapTokens },
    userinfo:
      "https://graph.instagram.com/me?fields=id,user_id,username,name,account_type,profile_picture_url",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#d62976", loadLogo: () => import("@latchkey/pages/logos/instagram") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.username ?? null,
      email: null,
      image: profile.profile_picture_url ?? null,
    }),
    options,
  }
}

/** The tokens can be the only element of a list. */
async function unwrapTokens(response: Response): Promise<Response | undefined> {
  const data = parseJsonObject(await response.text())?.["data"]
  return Array.isArray(data) ? Response.json(data[0]) : undefined
}
