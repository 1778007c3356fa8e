import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of WorkOS. */
export interface WorkOSProfile extends ProviderProfile {
  object: "profile"
  /** The id of the user for this connection. */
  id: string
  organization_id: string | null
  connection_id: string
  connection_type: string
  /** The id of the user at the identity provider. */
  idp_id: string
  email: string
  first_name: string | null
  last_name: string | null
  /** The attributes as the identity provider sent them. */
  raw_attributes: Record<string, unknown> & { picture?: string }
}

/** The options of {@link workos}. */
export type WorkOSOptions = OAuthUserConfig<WorkOSProfile> & {
  /** The id of a connection. To choose it by `organization` or `provider`, set these in `authorization.params`. */
  connection?: string | undefined
}

/**
 * Sign-in with WorkOS, through the identity provider of a customer. `clientSecret` is the API key.
 *
 * Addresses: WorkOS does not say whether they are verified; the customer's administrators set them.
 *
 * @see https://workos.com/docs/reference/sso/get-authorization-url
 */
export default function workos(options: WorkOSOptions = {}): OAuthConfig<WorkOSProfile> {
  const { connection, ...rest } = options
  return {
    id: "workos",
    name: "WorkOS",
    type: "oauth",
    authorization: {
      url: "https://api.workos.com/sso/authorize",
      params: { scope: null, connection },
    },
    token: "https://api.workos.com/sso/token",
    userinfo: "https://api.workos.com/sso/profile",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { brandColor: "#6363f1" },
    profile: (profile) => ({
      id: profile.id,
      name: [profile.first_name, profile.last_name].filter(Boolean).join(" ") || null,
      email: profile.email ?? null,
      image: profile.raw_attributes?.picture ?? null,
    }),
    options: rest,
  }
}
