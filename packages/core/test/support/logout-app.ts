/** An application whose sessions a provider can end, and the requests with which it does. */
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { OIDCConfig } from "@latchkey/core/providers"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type TestBrowser,
} from "@latchkey/testing"
import { createOAuthApp, type OAuthApp } from "./oauth-app.ts"

export const logoutOrigin = "https://app.example"
export const logoutPath = "/auth/logout/scripted"

const schema = migrationSql("sqlite", { sessionRecords: true })

/** Opens a database in memory with the tables of session records. */
export function createRecordingAdapter(): Required<Adapter> {
  const database = openSqlite(":memory:")
  database.exec(schema)
  // With the option, it has all methods of an adapter but `watchSessionChanges`, which is optional.
  return SqlAdapter(database, { sessionRecords: true }) as Required<Adapter>
}

export interface LogoutApp extends OAuthApp {
  readonly provider: ScriptedProvider
  /** Signs a user in. The ID token names the session at the provider, unless `sid` is undefined. */
  signIn(sid: string | undefined, sub?: string): Promise<TestBrowser>
  /** Sends a logout token as a provider does: from a server, without cookies. */
  sendLogoutToken(token: string, path?: string): Promise<Response>
  /** Sends a valid logout token for a session. */
  logOut(session: { sid?: string; sub?: string }): Promise<Response>
  /** How many of the browsers that signed in are still signed in. */
  countSessions(): Promise<number>
}

/** @param config changes of the configuration */
export async function createLogoutApp(
  config: Partial<AuthConfig> = {},
  definition: Partial<OIDCConfig> = {},
  options: ScriptedProviderOptions = {},
): Promise<LogoutApp> {
  const provider = await createScriptedProvider(options)
  const app = await createOAuthApp(
    { ...provider.asOidc(), ...definition },
    {
      adapter: createRecordingAdapter(),
      ...config,
      session: { records: true, ...config.session },
    },
  )
  const browsers: TestBrowser[] = []
  const sendLogoutToken = (token: string, path = logoutPath) =>
    Auth(
      new Request(logoutOrigin + path, {
        method: "POST",
        body: new URLSearchParams({ logout_token: token }),
      }),
      app.config,
    ) as Promise<Response>
  return {
    ...app,
    provider,
    async signIn(sid, sub = "ada") {
      const browser = createTestBrowser(app.app)
      const user = { sub, name: sub, email: `${sub}@example.com`, email_verified: true }
      provider.setUser({ ...user, ...(sid !== undefined && { sid }) })
      await browser.signIn(provider)
      if (!(await browser.getSession())) throw new Error(app.readLog())
      browsers.push(browser)
      return browser
    },
    sendLogoutToken,
    logOut: async (session) => sendLogoutToken(await provider.createLogoutToken(session)),
    async countSessions() {
      const sessions = await Promise.all(browsers.map((browser) => browser.getSession()))
      return sessions.filter(Boolean).length
    },
  }
}
