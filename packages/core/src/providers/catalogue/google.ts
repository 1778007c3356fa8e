import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Google returns. */
export interface GoogleProfile extends ProviderClaims {
  sub: string
  name: string
  given_name: string
  family_name?: string
  picture: string
  email: string
  email_verified: boolean
  /** The domain of the organisation to which the account belongs. */
  hd?: string
  locale?: string
}

/**
 * Sign-in with Google.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export default function google(
  options: OIDCUserConfig<GoogleProfile> = {},
): OIDCConfig<GoogleProfile> {
  return {
    id: "google",
    name: "Google",
    type: "oidc",
    issuer: "https://accounts.google.com",
    loginPrompt: "select_account", // Google refuses `login`
    style: { brandColor: "#1a73e8", loadLogo: () => import("@latchkey/pages/logos/google") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
