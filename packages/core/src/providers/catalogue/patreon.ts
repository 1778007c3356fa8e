import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Patreon. */
export interface PatreonProfile extends ProviderProfile {
  data: {
    id: string
    attributes: ProviderProfile & {
      full_name?: string
      email?: string | null
      is_email_verified?: boolean
      image_url?: string
    }
  }
}

const fields = "email,full_name,image_url,is_email_verified"

/**
 * Sign-in with Patreon.
 *
 * Addresses: verified if `is_email_verified` is true.
 *
 * @see https://docs.patreon.com/#oauth
 */
export default function patreon(
  options: OAuthUserConfig<PatreonProfile> = {},
): OAuthConfig<PatreonProfile> {
  return {
    id: "patreon",
    name: "Patreon",
    type: "oauth",
    authorization: {
      url: "https://www.patreon.com/oauth2/authorize",
      params: { scope: "identity identity[email]" },
    },
    token: "https://www.patreon.com/api/oauth2/token",
    userinfo: `https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=${fields}`,
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#f96854" },
    profile: ({ data: { id, attributes } }) => ({
      id,
      name: attributes.full_name ?? null,
      email: attributes.email ?? null,
      image: attributes.image_url ?? null,
    }),
    emailVerified: ({ data: { attributes } }) => attributes.is_email_verified,
    options,
  }
}
