import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that LINE returns. */
export interface LineProfile extends ProviderClaims {
  sub: string
  name: string
  picture: string
  /** Only for applications that may request it. */
  email?: string
}

/**
 * Sign-in with LINE.
 *
 * Addresses: LINE does not say whether they are verified.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 */
export default function line(options: OIDCUserConfig<LineProfile> = {}): OIDCConfig<LineProfile> {
  return {
    id: "line",
    name: "LINE",
    type: "oidc",
    issuer: "https://access.line.me",
    // The metadata says ES256, which is for apps. ID tokens of web logins are signed with the client secret.
    client: {
      token_endpoint_auth_method: "client_secret_post",
      id_token_signed_response_alg: "HS256",
    },
    style: { brandColor: "#06c755", loadLogo: () => import("@latchkey/pages/logos/line") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
