import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Kinde returns. */
export interface KindeProfile extends ProviderClaims {
  sub: string
  name: string
  given_name: string
  family_name: string
  email: string
  picture: string
  /** The organisations of the user. */
  org_codes?: string[]
}

/**
 * Sign-in with Kinde. It requires an `issuer`, the domain of the business: `https://<business>.kinde.com`.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://docs.kinde.com/build/tokens/about-id-tokens/
 */
export default function kinde(
  options: OIDCUserConfig<KindeProfile> = {},
): OIDCConfig<KindeProfile> {
  return {
    id: "kinde",
    name: "Kinde",
    type: "oidc",
    style: { brandColor: "#0f0f0f" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
