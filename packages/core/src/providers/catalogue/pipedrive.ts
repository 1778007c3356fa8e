import { formatNumericId } from "../numeric-id.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Pipedrive. */
export interface PipedriveProfile extends ProviderProfile {
  success: boolean
  data: ProviderProfile & {
    id: number
    name: string
    email: string
    icon_url: string | null
    company_id: number
    company_name: string
    /** Whether the user has activated the account. */
    activated: boolean
  }
}

/**
 * Sign-in with Pipedrive. You choose the scopes in the application.
 *
 * Addresses: Pipedrive does not say whether they are verified.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 */
export default function pipedrive(
  options: OAuthUserConfig<PipedriveProfile> = {},
): OAuthConfig<PipedriveProfile> {
  return {
    id: "pipedrive",
    name: "Pipedrive",
    type: "oauth",
    authorization: {
      url: "https://oauth.pipedrive.com/oauth/authorize",
      params: { scope: null },
    },
    token: "https://oauth.pipedrive.com/oauth/token",
    userinfo: "https://api.pipedrive.com/v1/users/me",
    style: { brandColor: "#017737" },
    profile: ({ data }) => ({
      id: formatNumericId(data.id),
      name: data.name ?? null,
      email: data.email ?? null,
      image: data.icon_url ?? null,
    }),
    options,
  }
}
