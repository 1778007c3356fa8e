import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Eventbrite. */
export interface EventbriteProfile extends ProviderProfile {
  id: string
  name: string
  first_name: string
  last_name: string
  emails: { email: string; verified: boolean; primary: boolean }[]
  image_id: string | null
}

/**
 * Sign-in with Eventbrite.
 *
 * Addresses: the primary one, verified if Eventbrite has verified it.
 *
 * @see https://www.eventbrite.com/platform/docs/authentication
 */
export default function eventbrite(
  options: OAuthUserConfig<EventbriteProfile> = {},
): OAuthConfig<EventbriteProfile> {
  return {
    id: "eventbrite",
    name: "Eventbrite",
    type: "oauth",
    authorization: {
      url: "https://www.eventbrite.com/oauth/authorize",
      params: { scope: null },
    },
    token: "https://www.eventbrite.com/oauth/token",
    userinfo: "https://www.eventbriteapi.com/v3/users/me/",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#f05537" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: findPrimaryEmail(profile)?.email ?? null,
      image: null,
    }),
    emailVerified: (profile) => findPrimaryEmail(profile)?.verified,
    options,
  }
}

function findPrimaryEmail({ emails = [] }: EventbriteProfile) {
  return emails.find(({ primary }) => primary)
}
