/** An application on Latchkey with an Auth.js adapter, two providers and a mail server. */
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

/** The configuration that all applications of these tests share. */
export const baseConfig = { secret, trustHost: true } as const

export interface TestApplication extends AsyncDisposable {
  readonly config: AppConfig
  /** OpenID Connect. */
  readonly oidcProvider: ScriptedProvider
  /** Plain OAuth 2. */
  readonly oauthProvider: ScriptedProvider
  readonly mailbox: Mailbox
  /** All logged errors. */
  readonly errors: unknown[][]
  openBrowser(): TestBrowser
  /** Requests a link, and returns it from the e-mail. */
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
    attemptLimits: false, // all tests sign in as the same people
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
