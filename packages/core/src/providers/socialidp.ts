import type { OAuthConfig, OAuthUserConfig } from "./types.ts"

/** Sizes of a profile picture, in pixels, by the suffix of its URL. */
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

/** Suffix of a profile picture's URL. */
export type AvatarSize = keyof typeof avatarSizes

/** What the social provider says of a person. */
export interface SocialIdpProfile {
  /** Unique id of the user. */
  id: string
  login: string
  /** Id of the application that the token was issued for. */
  client_id: string
  /** Id of the user for this application, formed by the provider. */
  psuid: string
  /** YYYY-MM-DD; unknown parts are zeros. */
  birthday?: string | null
  default_avatar_id?: string
  /** True when the picture is the one that everybody has at first. */
  is_avatar_empty?: boolean
  default_email?: string
  emails?: string[]
  /** The provider may leave it out. */
  default_phone?: { id: number; number: string }
  display_name?: string
  first_name?: string
  last_name?: string
  /** May hold any script. */
  real_name?: string
  /** Null when unknown or unspecified. */
  sex?: "female" | "male" | null
}

/** Options of {@link socialidp}. */
export type SocialIdpOptions = OAuthUserConfig<SocialIdpProfile> & {
  /** @defaultValue `"islands-200"` */
  avatarSize?: AvatarSize | undefined
}

const avatarHost = "https://avatars.yandex.net/get-yapic"

/** The URL of a person's picture in a size, or null when there is none of their own. */
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
