import { fetchResource, fetchResourceIfAllowed } from "../fetch-resource.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** A user profile of Bitbucket. */
export interface BitbucketProfile extends ProviderProfile {
  /** In braces. */
  uuid: string
  /** The Atlassian account. */
  account_id: string
  username: string
  nickname: string
  display_name: string
  links: { avatar?: { href?: string } }
  /** The primary address, if the token grants access to the addresses. */
  email?: string
  email_verified?: boolean
}

interface BitbucketEmails {
  values?: { email: string; is_primary: boolean; is_confirmed: boolean }[]
}

const api = "https://api.bitbucket.org/2.0/user"

/**
 * Sign-in with Bitbucket.
 *
 * Addresses: the primary one, verified if Bitbucket has confirmed it.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 */
export default function bitbucket(
  options: OAuthUserConfig<BitbucketProfile> = {},
): OAuthConfig<BitbucketProfile> {
  return {
    id: "bitbucket",
    name: "Bitbucket",
    type: "oauth",
    authorization: {
      url: "https://bitbucket.org/site/oauth2/authorize",
      params: { scope: "account email" },
    },
    token: "https://bitbucket.org/site/oauth2/access_token",
    userinfo: { url: api, request: fetchProfileWithEmail },
    style: { brandColor: "#0052cc", loadLogo: () => import("@latchkey/pages/logos/bitbucket") },
    profile: (profile) => ({
      id: profile.uuid,
      name: profile.display_name ?? profile.username ?? null,
      email: profile.email ?? null,
      image: profile.links?.avatar?.href ?? null,
    }),
    options,
  }
}

async function fetchProfileWithEmail(context: UserinfoContext): Promise<BitbucketProfile> {
  const profile = await fetchResource<BitbucketProfile>(context, api)
  const emails = await fetchResourceIfAllowed<BitbucketEmails>(context, `${api}/emails`)
  const primary = emails?.values?.find((address) => address.is_primary)
  return primary
    ? { ...profile, email: primary.email, email_verified: primary.is_confirmed }
    : profile
}
