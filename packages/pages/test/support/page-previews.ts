/** Every built-in page in every state, of an application with every kind of provider. */
import { type PagePreview, renderPagePreviews } from "@latchkey/cli/page-previews"
import type { AuthConfig } from "@latchkey/core"
import authentik from "@latchkey/core/providers/authentik"
import bitbucket from "@latchkey/core/providers/bitbucket"
import credentials from "@latchkey/core/providers/credentials"
import microsoft from "@latchkey/core/providers/microsoft-entra-id"
import passkey from "@latchkey/core/providers/passkey"
import resend from "@latchkey/core/providers/resend"
import type { Theme } from "@latchkey/core/types"
import { testSiteSecret } from "../../../core/test/support/test-site.ts"
import { languages } from "./languages.ts"

const client = { clientId: "a", clientSecret: "b" }

/** A long word, which no line may be too short for. */
const theme: Theme = { name: "Donaudampfschifffahrt" }

const createConfig = (ownTheme: Theme): AuthConfig => ({
  secret: testSiteSecret,
  trustHost: true,
  experimental: { enableWebAuthn: true },
  languages,
  theme: ownTheme,
  providers: [
    microsoft(client),
    bitbucket(client),
    authentik({ ...client, issuer: "https://idp.example/" }),
    resend({ apiKey: "k", from: "a@app.example" }),
    credentials({
      credentials: {
        user: { label: "User name", autocomplete: "username" },
        password: { label: "Password", type: "password" },
      },
      authorize: () => null,
    }),
    passkey,
  ],
})

/** Renders the pages in a language. The e-mail is not one of them. */
export async function renderPages(language: string, ownTheme = theme): Promise<PagePreview[]> {
  const previews = await renderPagePreviews(createConfig(ownTheme), { language })
  return previews.filter(({ name }) => name !== "message")
}

/** Returns the page as a browser without scripts shows it, or undefined if it has no script. */
export function removeScript({ name, html, ...rest }: PagePreview): PagePreview | undefined {
  if (!html.includes("<script>")) return undefined
  const shown = html.replace(/<script>.*<\/script>/s, "").replace(/<\/?noscript>/g, "")
  return { ...rest, name: `${name}-without-scripts`, html: shown }
}
