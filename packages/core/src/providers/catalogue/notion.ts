import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** The profile of the user who installed the integration. */
export interface NotionProfile extends ProviderProfile {
  object: "user"
  id: string
  type?: "person"
  name: string | null
  avatar_url: string | null
  /** Has an address only if the integration may read it. */
  person?: { email?: string }
}

/**
 * Sign-in with Notion, through a public integration. The token response contains the user.
 *
 * Addresses: Notion does not say whether they are verified.
 *
 * @see https://developers.notion.com/docs/authorization
 */
export default function notion(
  options: OAuthUserConfig<NotionProfile> = {},
): OAuthConfig<NotionProfile> {
  return {
    id: "notion",
    name: "Notion",
    type: "oauth",
    authorization: {
      url: "https://api.notion.com/v1/oauth/authorize",
      params: { scope: null, owner: "user" },
    },
    token: "https://api.notion.com/v1/oauth/token",
    userinfo: { request: ownerOf },
    style: { brandColor: "#191919", loadLogo: () => import("@latchkey/pages/logos/notion") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: profile.person?.email ?? null,
      image: profile.avatar_url ?? null,
    }),
    options,
  }
}

/** A token can also belong to a workspace, which cannot sign in. */
function ownerOf({ tokens }: UserinfoContext): object {
  const { type, user } = (tokens["owner"] ?? {}) as { type?: unknown; user?: unknown }
  if (type === "user" && typeof user === "object" && user !== null) return user
  throw new TypeError("Notion's token response has no user as the owner of the token")
}
