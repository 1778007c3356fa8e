import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Coinbase. */
export interface CoinbaseProfile extends ProviderProfile {
  data: ProviderProfile & {
    id: string
    name: string | null
    username: string | null
    avatar_url: string | null
    email?: string
  }
}

/**
 * Sign-in with Coinbase.
 *
 * Addresses: Coinbase does not say whether they are verified.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview
 */
export default function coinbase(
  options: OAuthUserConfig<CoinbaseProfile> = {},
): OAuthConfig<CoinbaseProfile> {
  return {
    id: "coinbase",
    name: "Coinbase",
    type: "oauth",
    authorization: {
      url: "https://login.coinbase.com/oauth2/auth",
      params: { scope: "wallet:user:email wallet:user:read" },
    },
    token: "https://login.coinbase.com/oauth2/token",
    userinfo: "https://api.coinbase.com/v2/user",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#0052ff" },
    profile: ({ data }) => ({
      id: data.id,
      name: data.name ?? null,
      email: data.email ?? null,
      image: data.avatar_url ?? null,
    }),
    options,
  }
}
