import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Discord. */
export interface DiscordProfile extends ProviderProfile {
  /** A snowflake. */
  id: string
  username: string
  /** The display name. */
  global_name: string | null
  /** Hash of the picture. The picture is animated if it starts with `a_`. */
  avatar: string | null
  locale: string
  email: string | null
  /** Whether the address is verified. */
  verified: boolean
}

/**
 * Sign-in with Discord.
 *
 * Addresses: verified if `verified` is true.
 *
 * @see https://docs.discord.com/developers/topics/oauth2
 */
export default function discord(
  options: OAuthUserConfig<DiscordProfile> = {},
): OAuthConfig<DiscordProfile> {
  return {
    id: "discord",
    name: "Discord",
    type: "oauth",
    authorization: {
      url: "https://discord.com/oauth2/authorize",
      params: { scope: "identify email" },
    },
    token: "https://discord.com/api/oauth2/token",
    userinfo: "https://discord.com/api/users/@me",
    style: { brandColor: "#5865f2", loadLogo: () => import("@latchkey/pages/logos/discord") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.global_name ?? profile.username,
      email: profile.email ?? null,
      image: avatarOf(profile),
    }),
    emailVerified: ({ verified }) => verified,
    options,
  }
}

function avatarOf({ id, avatar }: DiscordProfile): string | null {
  if (!avatar) return null
  const extension = avatar.startsWith("a_") ? "gif" : "png"
  return `https://cdn.discordapp.com/avatars/${id}/${avatar}.${extension}`
}
