import { fetchResource } from "../fetch-resource.ts"
import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** A user profile of VK. */
export interface VkProfile extends ProviderProfile {
  id: number
  first_name: string
  last_name: string
  photo_100: string
  /** The address, which VK returns with the tokens if the user allows it. */
  email?: string
}

const users = "https://api.vk.com/method/users.get?fields=photo_100&v=5.131"

/**
 * Sign-in with VK, for applications of VKontakte. Applications of the newer VK ID use another flow.
 *
 * Addresses: VK does not say whether they are verified.
 *
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth-vkontakte/authcode-flow-user
 */
export default function vk(options: OAuthUserConfig<VkProfile> = {}): OAuthConfig<VkProfile> {
  return {
    id: "vk",
    name: "VK",
    type: "oauth",
    authorization: {
      url: "https://oauth.vk.com/authorize",
      params: { scope: "email", v: "5.131" },
    },
    token: "https://oauth.vk.com/access_token?v=5.131",
    userinfo: { url: users, request: fetchUser },
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#0077ff" },
    profile: (profile) => ({
      id: formatNumericId(profile.id),
      name: [profile.first_name, profile.last_name].filter(Boolean).join(" ") || null,
      email: profile.email ?? null,
      image: profile.photo_100 ?? null,
    }),
    options,
  }
}

async function fetchUser(context: UserinfoContext): Promise<object> {
  const { response } = await fetchResource<{ response?: VkProfile[] }>(context, users)
  // Errors have the status 200.
  if (!response?.[0]) throw new TypeError("VK returned no user")
  return { ...response[0], email: context.tokens["email"] }
}
