import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Wikimedia. */
export interface WikimediaProfile extends ProviderProfile {
  /** The id of the user on all wikis. */
  sub: string
  username: string
  editcount?: number
  /** Only for applications that may read it. */
  email?: string
  /** Whether the address is confirmed. */
  confirmed_email?: boolean
  realname?: string
}

const base = "https://meta.wikimedia.org/w/rest.php/oauth2"

/**
 * Sign-in with Wikimedia, for the users of Wikipedia and its sister projects.
 *
 * Addresses: verified if `confirmed_email` is true.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers
 */
export default function wikimedia(
  options: OAuthUserConfig<WikimediaProfile> = {},
): OAuthConfig<WikimediaProfile> {
  return {
    id: "wikimedia",
    name: "Wikimedia",
    type: "oauth",
    authorization: { url: `${base}/authorize`, params: { scope: null } },
    token: `${base}/access_token`,
    userinfo: `${base}/resource/profile`,
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#006699" },
    profile: (profile) => ({
      id: String(profile.sub),
      name: profile.username ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    emailVerified: ({ confirmed_email }) => confirmed_email === true,
    options,
  }
}
