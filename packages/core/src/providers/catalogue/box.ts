import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Box. */
export interface BoxProfile extends ProviderProfile {
  type: "user"
  id: string
  name: string
  /** The primary address. */
  login: string
  avatar_url: string
}

/**
 * Sign-in with Box. You choose the scopes in the application.
 *
 * Addresses: Box does not say whether they are verified.
 *
 * @see https://developer.box.com/guides/authentication/oauth2/
 */
export default function box(options: OAuthUserConfig<BoxProfile> = {}): OAuthConfig<BoxProfile> {
  return {
    id: "box",
    name: "Box",
    type: "oauth",
    authorization: {
      url: "https://account.box.com/api/oauth2/authorize",
      params: { scope: null },
    },
    token: "https://api.box.com/oauth2/token",
    userinfo: "https://api.box.com/2.0/users/me",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#0061d5" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: profile.login ?? null,
      image: profile.avatar_url ?? null,
    }),
    options,
  }
}
