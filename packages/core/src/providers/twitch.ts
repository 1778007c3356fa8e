import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** Claims that Twitch gives about a person, as far as they were asked for. */
export interface TwitchProfile extends Profile {
  sub: string
  preferred_username?: string
  picture?: string
  email?: string
  email_verified?: boolean
}

/** Twitch gives only those that are named (OpenID Connect Core 5.5), by whoever changed the request last. */
const claims = { email: null, email_verified: null, picture: null, preferred_username: null }

/**
 * Sign-in with Twitch.
 *
 * Addresses: denied unless `email_verified` confirms them, because a person can have that claim left out.
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
    token: { conform: withScopeAsText },
    checks: ["nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#9146ff" },
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

/** Twitch lists the scopes where RFC 6749 section 3.3 wants them in one text. */
async function withScopeAsText(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined
  const body = (await response.json()) as { scope?: unknown } | null // as far as it is looked at
  if (!Array.isArray(body?.scope)) return undefined
  return Response.json({ ...body, scope: body.scope.join(" ") })
}
