import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Hugging Face returns. */
export interface HuggingfaceProfile extends ProviderClaims {
  sub: string
  name: string
  preferred_username: string
  /** URL of the user's page. */
  profile: string
  picture: string
  website?: string
  email?: string
  email_verified?: boolean
}

/**
 * Sign-in with Hugging Face.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://huggingface.co/docs/hub/oauth
 */
export default function huggingface(
  options: OIDCUserConfig<HuggingfaceProfile> = {},
): OIDCConfig<HuggingfaceProfile> {
  return {
    id: "huggingface",
    name: "Hugging Face",
    type: "oidc",
    issuer: "https://huggingface.co",
    style: { brandColor: "#ffd21e" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
