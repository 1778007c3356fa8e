import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that SimpleLogin returns. */
export interface SimpleLoginProfile extends ProviderClaims {
  sub: string
  name: string
  /** The address, or an alias that the user chose for the application. */
  email: string
  email_verified: boolean
  avatar_url: string | null
  /** The application. */
  client: string
}

/**
 * Sign-in with SimpleLogin.
 *
 * Addresses: verified if `email_verified` is true; most are aliases.
 *
 * @see https://simplelogin.io/docs/siwsl/app/
 */
export default function simpleLogin(
  options: OIDCUserConfig<SimpleLoginProfile> = {},
): OIDCConfig<SimpleLoginProfile> {
  return {
    id: "simplelogin",
    name: "SimpleLogin",
    type: "oidc",
    issuer: "https://app.simplelogin.io",
    style: { brandColor: "#be1e2d" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.avatar_url ?? null,
    }),
    options,
  }
}
