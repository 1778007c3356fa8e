/** The configurations whose pages the gallery shows: all kinds of providers, in several themes. */
import type { AuthConfig } from "@latchkey/core"
import passkey from "@latchkey/core/passkeys"
import apple from "@latchkey/core/providers/apple"
import credentials from "@latchkey/core/providers/credentials"
import discord from "@latchkey/core/providers/discord"
import github from "@latchkey/core/providers/github"
import gitlab from "@latchkey/core/providers/gitlab"
import google from "@latchkey/core/providers/google"
import nodemailer from "@latchkey/core/providers/nodemailer"
import type { Theme } from "@latchkey/core/types"
import arabic from "@latchkey/pages/languages/ar"
import german from "@latchkey/pages/languages/de"
import english from "@latchkey/pages/languages/en"
import spanish from "@latchkey/pages/languages/es"
import french from "@latchkey/pages/languages/fr"
import hebrew from "@latchkey/pages/languages/he"
import italian from "@latchkey/pages/languages/it"
import japanese from "@latchkey/pages/languages/ja"
import korean from "@latchkey/pages/languages/ko"
import dutch from "@latchkey/pages/languages/nl"
import polish from "@latchkey/pages/languages/pl"
import portuguese from "@latchkey/pages/languages/pt"
import turkish from "@latchkey/pages/languages/tr"
import ukrainian from "@latchkey/pages/languages/uk"
import chinese from "@latchkey/pages/languages/zh-Hans"
import { brandColor, logo, productName } from "../app/brand.ts"

const client = { clientId: "showcase", clientSecret: "showcase" }

/** The themes by name. The first is that of the demo. */
export const showcaseThemes = {
  loam: {
    name: productName,
    logo: `data:image/svg+xml,${encodeURIComponent(logo)}`,
    brandColor,
    buttonText: "#ffffff",
  },
  plain: {},
  violet: { name: "Violet", brandColor: "#7c3aed", brandColorDark: "#a78bfa", radius: "999px" },
  press: {
    name: "The Daily Press",
    brandColor: "#b91c1c",
    radius: "0",
    fontFamily: "Georgia, serif",
  },
} as const satisfies Readonly<Record<string, Theme>>

/** Creates a configuration with every kind of provider. Nobody can sign in with it. */
export function createShowcaseConfig(theme: Theme): AuthConfig {
  return {
    secret: "The gallery signs nobody in, so this seals nothing.",
    theme,
    languages: [
      english,
      german,
      french,
      spanish,
      portuguese,
      italian,
      dutch,
      polish,
      turkish,
      ukrainian,
      japanese,
      chinese,
      korean,
      arabic,
      hebrew,
    ],
    providers: [
      google(client),
      github(client),
      apple(client),
      gitlab(client),
      discord(client),
      nodemailer({ server: "smtp://localhost", from: "gallery@example.com" }),
      credentials({
        credentials: {
          username: { label: "User name" },
          password: { label: "Password", type: "password" },
        },
        authorize: () => null,
      }),
      passkey,
    ],
  }
}
