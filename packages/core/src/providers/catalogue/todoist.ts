import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Todoist. */
export interface TodoistProfile extends ProviderProfile {
  id: string
  full_name: string
  email: string
  avatar_big?: string | null
}

/**
 * Sign-in with Todoist.
 *
 * Addresses: Todoist does not say whether they are verified.
 *
 * @see https://developer.todoist.com/api/v1/#tag/Authorization
 */
export default function todoist(
  options: OAuthUserConfig<TodoistProfile> = {},
): OAuthConfig<TodoistProfile> {
  return {
    id: "todoist",
    name: "Todoist",
    type: "oauth",
    authorization: {
      url: "https://todoist.com/oauth/authorize",
      params: { scope: "data:read" },
    },
    token: "https://todoist.com/oauth/access_token",
    userinfo: "https://api.todoist.com/api/v1/user",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#e44332" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.full_name ?? null,
      email: profile.email ?? null,
      image: profile.avatar_big ?? null,
    }),
    options,
  }
}
