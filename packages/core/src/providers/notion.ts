import type { OAuthConfig, OAuthUserConfig, UserinfoContext } from "./types.ts"

/** What Notion says of the person who installed the integration. */
export interface NotionProfile {
  object: "user"
  id: string
  type?: "person"
  name?: string | null
  avatar_url?: string | null
  /** With an address only where the integration may read it. */
  person?: { email?: string }
}

/**
 * Sign-in with Notion, through a public integration. The person is in the token answer.
 *
 * Addresses: Notion says nothing of them.
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
    checks: ["state"],
    style: { brandColor: "#191919" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: profile.person?.email ?? null,
      image: profile.avatar_url ?? null,
    }),
    options,
  }
}

/** A workspace may own the token too: it is nobody who could sign in. */
function ownerOf({ tokens }: UserinfoContext): object {
  const { type, user } = (tokens["owner"] ?? {}) as { type?: unknown; user?: unknown }
  if (type === "user" && typeof user === "object" && user !== null) return user
  throw new TypeError("Notion's token answer does not name the person that the token belongs to")
}
