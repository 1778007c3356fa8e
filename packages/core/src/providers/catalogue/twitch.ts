import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Twitch returns, if they are requested. */
export interface TwitchProfile extends ProviderClaims {
  sub: string
  preferred_username: string
  picture: string
  email: string
  email_verified: boolean
}

/** Twitch returns only requested claims (OpenID Connect Core 5.5), and a user can change the request. */
const claims = { email: null, email_verified: null, picture: null, preferred_username: null }

/**
 * Sign-in with Twitch.
 *
 * Addresses: verified only if `email_verified` is true, because a user can remove that claim from the request.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 */
export default function twitch(
  options: OIDCUserConfig<TwitchProfile> = {},
): OIDCConfig<TwitchProfile> {
  return {
    id: "twitch",
    name: "Twitch",
    type: "oidc",
    issuer: "https://id.twitch.tv/oauth2",
    authorization: {
      params: { scope: "openid user:read:email", claims: { id_token: claims } },
    },
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#9146ff", loadLogo: () => import("@latchkey/pages/logos/twitch") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    emailVerified: ({ email_verified }) => email_verified === true,
    options,
  }
}
