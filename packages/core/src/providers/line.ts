import type { OAuthConfig, OAuthUserConfig, UserinfoContext } from "./types.ts"

/** The claims that LINE returns. */
export interface LineProfile {
  sub: string
  name?: string
  picture?: string
  /** Only for applications that may request it. */
  email?: string
}

/**
 * Sign-in with LINE. ID tokens of web logins are signed with the client secret. LINE's own endpoint verifies them and
 * returns their claims.
 *
 * Addresses: LINE does not say whether they are verified.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 */
export default function line(options: OAuthUserConfig<LineProfile> = {}): OAuthConfig<LineProfile> {
  return {
    id: "line",
    name: "LINE",
    type: "oauth",
    authorization: {
      url: "https://access.line.me/oauth2/v2.1/authorize",
      params: { scope: "openid profile email" },
    },
    token: "https://api.line.me/oauth2/v2.1/token",
    userinfo: { url: "https://api.line.me/oauth2/v2.1/verify", request: fetchVerifiedClaims },
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#06c755" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}

/** LINE checks the signature, issuer, audience and time of the token. */
async function fetchVerifiedClaims({ tokens, provider, fetch }: UserinfoContext): Promise<unknown> {
  const response = await fetch("https://api.line.me/oauth2/v2.1/verify", {
    method: "POST",
    body: new URLSearchParams({
      id_token: tokens.id_token ?? "",
      client_id: String(provider["clientId"]),
    }),
  })
  if (response.ok) return response.json()
  throw new TypeError(`LINE did not confirm the ID token: it returned status ${response.status}`)
}
