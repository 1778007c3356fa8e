import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** A user profile of Nextcloud. */
export interface NextcloudProfile extends ProviderProfile {
  id: string
  displayname: string
  email: string | null
  /** URL of the picture. */
  avatar: string
  groups?: string[]
}

/**
 * Sign-in with Nextcloud. It requires an `issuer`, the URL of your server.
 *
 * Addresses: Nextcloud does not say whether they are verified.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 */
export default function nextcloud(
  options: OAuthUserConfig<NextcloudProfile> = {},
): OAuthConfig<NextcloudProfile> {
  return {
    id: "nextcloud",
    name: "Nextcloud",
    type: "oauth",
    authorization: { url: "{issuer}/apps/oauth2/authorize", params: { scope: null } },
    token: "{issuer}/apps/oauth2/api/v1/token",
    userinfo: { url: "{issuer}/ocs/v1.php/cloud/users", request: fetchUser },
    style: { brandColor: "#0082c9" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.displayname ?? null,
      email: profile.email || null,
      image: profile.avatar,
    }),
    options,
  }
}

async function fetchUser({ tokens, provider, fetch }: UserinfoContext): Promise<unknown> {
  const url = `${provider.userinfo.url}/${encodeURIComponent(String(tokens["user_id"]))}`
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    accept: "application/json",
    "ocs-apirequest": "true",
  }
  const response = await fetch(url, { headers })
  if (!response.ok) throw new TypeError(`${url} returned status ${response.status}`)
  const { data } = (await response.json()).ocs
  const server = String(provider["issuer"]).replace(/\/$/, "")
  return { ...data, avatar: `${server}/avatar/${encodeURIComponent(data.id)}/512` }
}
