import type { OAuthConfig, OAuthUserConfig } from "../types.ts"

/** The sizes of a profile picture in pixels, by the suffix of its URL. */
export const avatarSizes = {
  "islands-small": 28,
  "islands-34": 34,
  "islands-middle": 42,
  "islands-50": 50,
  "islands-retina-small": 56,
  "islands-68": 68,
  "islands-75": 75,
  "islands-retina-middle": 84,
  "islands-retina-50": 100,
  "islands-200": 200,
} as const

/** The suffix of a profile picture's URL. */
export type AvatarSize = keyof typeof avatarSizes

/** A user profile of the social provider. */
export interface SocialIdpProfile {
  /** The unique id of the user. */
  id: string
  login: string
  /** The id of the application that the token was issued for. */
  client_id: string
  /** The id of the user for this application, created by the provider. */
  psuid: string
  /** YYYY-MM-DD, with zeros for unknown parts. */
  birthday?: string | null
  default_avatar_id?: string
  /** True for the default picture. */
  is_avatar_empty?: boolean
  default_email?: string
  emails?: string[]
  /** The provider may omit it. */
  default_phone?: { id: number; number: string }
  display_name?: string
  first_name?: string
  last_name?: string
  /** Can be in any script. */
  real_name?: string
  /** Null if unknown or unspecified. */
  sex?: "female" | "male" | null
}

/** The options of {@link socialidp}. */
export type SocialIdpOptions = OAuthUserConfig<SocialIdpProfile> & {
  /** The size of the picture. @defaultValue `"islands-200"` */
  avatarSize?: AvatarSize | undefined
}

const avatarHost = "https://avatars.yandex.net/get-yapic"

/** Returns the URL of a user's picture in a size, or null for the default picture. */
export function getAvatarUrl(
  profile: Pick<SocialIdpProfile, "default_avatar_id" | "is_avatar_empty">,
  size: AvatarSize = "islands-200",
): string | null {
  const id = profile.default_avatar_id
  return id && !profile.is_avatar_empty ? `${avatarHost}/${id}/${size}` : null
}

/** The social OAuth 2 provider. */
export default function socialidp(options: SocialIdpOptions = {}): OAuthConfig<SocialIdpProfile> {
  const { avatarSize, ...rest } = options
  return {
    id: "socialidp",
    name: "Social ID",
    type: "oauth",
    authorization: {
      url: "https://oauth.yandex.ru/authorize",
      params: { scope: "login:info login:email login:avatar" },
    },
    token: "https://oauth.yandex.ru/token",
    userinfo: "https://login.yandex.ru/info?format=json",
    style: { brandColor: "#ffcc00" },
    profile: (profile) => ({
      id: profile.id,
      name: profile.display_name ?? profile.real_name ?? profile.first_name ?? null,
      email: profile.default_email ?? profile.emails?.[0] ?? null,
      image: getAvatarUrl(profile, avatarSize),
    }),
    options: rest,
  }
}
