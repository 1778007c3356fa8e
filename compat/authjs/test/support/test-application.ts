/** An application on our core and somebody else's adapter, with two providers and a mail server. */
import { Auth, type AuthConfig } from "@latchkey/core"
import nodemailer from "@latchkey/core/providers/nodemailer"
import {
  createMailbox,
  createScriptedProvider,
  createTestBrowser,
  type Mailbox,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import type { OpenDatabase } from "./adapter-setup.ts"

export const secret = "the one secret of both deployments: 0123456789"

export type AppConfig = Omit<AuthConfig, "raw">

/** What every application of these tests has in common, whichever library it runs on. */
export const baseConfig = { secret, trustHost: true } as const

export interface TestApplication extends AsyncDisposable {
  readonly config: AppConfig
  /** OpenID Connect. */
  readonly oidcProvider: ScriptedProvider
  /** Plain OAuth 2. */
  readonly oauthProvider: ScriptedProvider
  readonly mailbox: Mailbox
  /** Everything that was logged as an error. */
  readonly errors: unknown[][]
  openBrowser(): TestBrowser
  /** Asks for a link, and takes it out of the mail. */
  requestLink(client: TestBrowser, email: string): Promise<URL>
}

export type SessionStrategy = "jwt" | "database"

export async function createTestApplication(
  database: OpenDatabase,
  strategy: SessionStrategy,
  changes: Partial<AppConfig> = {},
): Promise<TestApplication> {
  const oidcProvider = await createScriptedProvider({ id: "work", issuer: "https://work.example" })
  const oauthProvider = await createScriptedProvider({ id: "club", issuer: "https://club.example" })
  const testMailbox = await createMailbox()
  const errors: unknown[][] = []
  const config: AppConfig = {
    ...baseConfig,
    adapter: database.adapter,
    providers: [
      oidcProvider.asOidc(),
      oauthProvider.asOAuth(),
      nodemailer({ server: testMailbox.server, from: "door@app.example" }),
    ],
    session: { strategy },
    logger: { error: (...line) => void errors.push(line), warn: () => undefined },
    ...changes,
  }
  return {
    config,
    oidcProvider,
    oauthProvider,
    mailbox: testMailbox,
    errors,
    openBrowser: () => createTestBrowser((request) => Auth(request, config), { now: () => 0 }),
    async requestLink(client, email) {
      await client.signIn("nodemailer", { email })
      await testMailbox.waitForMail()
      return new URL(testMailbox.getLatestLink())
    },
    [Symbol.asyncDispose]: () => testMailbox.close(),
  }
}

export const ada = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" }
export const bob = { sub: "bob", email: "bob@example.com", email_verified: true, name: "Bob" }
