/** An application with provider sign-in, a real database and a log that is kept. */
import { inspect } from "node:util"
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { SqlAdapter } from "@latchkey/sql"
import {
  assertRefused,
  type FetchHandler,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { expect } from "vitest"
import { openMigratedDatabase } from "./migrated-database.ts"

/** Everything, on one line. */
const inspectOptions = {
  depth: null,
  maxStringLength: null,
  breakLength: Infinity,
  compact: true,
} as const

export const oauthSecret = "a-secret-of-the-application-under-test"

/** The parts of the application that tests use. */
export interface OAuthApp {
  readonly config: AuthConfig
  readonly app: FetchHandler
  /** Every line of every level, as one text. */
  readLog(): string
  /** The rows of a table. */
  readRows(table: "User" | "Account" | "Session"): Record<string, unknown>[]
}

/** An application with these providers; `changes` are laid over its configuration. */
export async function createOAuthApp(
  providers: Provider | Provider[],
  changes: Partial<AuthConfig> = {},
): Promise<OAuthApp> {
  const lines: string[] = []
  const recordLine = (...line: unknown[]): void => {
    lines.push(inspect(line, inspectOptions))
  }
  const database = openMigratedDatabase()
  const config: AuthConfig = {
    providers: [providers].flat(),
    secret: oauthSecret,
    trustHost: true,
    adapter: SqlAdapter(database),
    debug: true,
    logger: { error: recordLine, warn: recordLine, debug: recordLine },
    ...changes,
  }
  return {
    config,
    app: (request) => Auth(request, config),
    readLog: () => lines.join("\n"),
    readRows: (table) => database.prepare(`select * from "${table}"`).all(),
  }
}

/** The names of the cookies that a sign-in under way has left in a browser. */
export function listTransactionCookies({ cookies }: TestBrowser): string[] {
  return cookies.names.filter((name) => /state|nonce|pkce/.test(name))
}

/** Asserts that the log contains none of the codes, tokens and secrets of a provider. */
export function expectNoSecretsLogged(app: OAuthApp, provider: ScriptedProvider): void {
  const log = app.readLog()
  expect(provider.secrets.filter((secret) => log.includes(secret))).toEqual([])
}

/** Asserts that a response refuses the sign-in, and that no session, row, cookie or secret is left behind. */
export async function expectSignInRefused(
  response: Response,
  browser: TestBrowser,
  app: OAuthApp,
  provider: ScriptedProvider,
): Promise<void> {
  assertRefused(response)
  expect(await browser.getSession()).toBeNull()
  expect([app.readRows("User"), app.readRows("Account"), app.readRows("Session")]).toEqual([
    [],
    [],
    [],
  ])
  expect(listTransactionCookies(browser)).toEqual([])
  expect(browser.cookies.rejected).toEqual([])
  expectNoSecretsLogged(app, provider)
}
