import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of X. */
export interface TwitterProfile extends ProviderProfile {
  data: ProviderProfile & {
    id: string
    name: string
    username: string
    profile_image_url?: string
    /** Only if the application may request it. */
    confirmed_email?: string
  }
}

/** The options of {@link twitter}. */
export type TwitterOptions = OAuthUserConfig<TwitterProfile> & {
  /** Also requests the e-mail address. The application needs the permission "Request email from users". */
  email?: boolean | undefined
}

/**
 * Sign-in with X, formerly Twitter (OAuth 2.0).
 *
 * Addresses: none, or the confirmed one with the option `email`.
 *
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 */
export default function twitter(options: TwitterOptions = {}): OAuthConfig<TwitterProfile> {
  const { email, ...rest } = options
  const fields = email ? "profile_image_url,confirmed_email" : "profile_image_url"
  const scope = "users.read tweet.read offline.access"
  return {
    id: "twitter",
    name: "X",
    type: "oauth",
    authorization: {
      url: "https://x.com/i/oauth2/authorize",
      params: { scope: email ? `${scope} users.email` : scope },
    },
    token: "https://api.x.com/2/oauth2/token",
    userinfo: `https://api.x.com/2/users/me?user.fields=${fields}`,
    style: { brandColor: "#0f1419", loadLogo: () => import("@latchkey/pages/logos/twitter") },
    profile: ({ data }) => ({
      id: data.id,
      name: data.name,
      email: data.confirmed_email ?? null,
      image: data.profile_image_url ?? null,
    }),
    emailVerified: ({ data }) => (data.confirmed_email ? true : undefined),
    options: rest,
  }
}
