/** The application with which the client is tested in Chromium: a provider on its own port, and credentials. */
import { createAuth } from "@latchkey/core"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { createScriptedProvider, type ScriptedProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import type { ServedApp } from "../../../core/test/support/chromium.ts"
import { testSiteSecret } from "../../../core/test/support/test-site.ts"
import { serveClientApp } from "./client-tabs.ts"

class WrongWord extends CredentialsSignin {
  override code = "wrong-word"
}

/** Lets anybody in who knows the word. */
const passwordProvider = credentials({
  credentials: { name: {}, word: {} },
  authorize({ name, word }) {
    if (word === "sesame") return { id: `id of ${name}`, name: String(name) }
    throw new WrongWord()
  },
})

export interface ClientApp {
  readonly app: ServedApp
  readonly provider: ScriptedProvider
  close(): Promise<void>
}

export async function createClientApp(): Promise<ClientApp> {
  const provider = await createScriptedProvider()
  await provider.listen()
  const app = await serveClientApp(() =>
    createAuth({
      providers: [provider.asOidc(), passwordProvider],
      secret: testSiteSecret,
      trustHost: true,
      logger: { error() {}, warn() {}, debug() {} },
      callbacks: {
        jwt: ({ token, session }) => (session ? { ...token, name: session.name } : token),
      },
    }),
  )
  return {
    app,
    provider,
    async close() {
      await app.close()
      await provider.close()
    },
  }
}

/** Signs in without leaving the page. */
export function signInWithoutRedirect(tab: Page, name = "Ada") {
  return tab.evaluate(
    (name) => latchkey.signIn("credentials", { redirect: false, name, word: "sesame" }),
    name,
  )
}
