/** An application with provider sign-in, a real database and a log that is kept. */
import { inspect } from "node:util"
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { type App, assertRefused, type Browser, type ScriptedProvider } from "@latchkey/testing"
import { expect } from "vitest"

/** Everything, on one line. */
const whole = { depth: null, maxStringLength: null, breakLength: Infinity, compact: true } as const

export const oauthSecret = "a-secret-of-the-application-under-test"

/** What the tests see of the application. */
export interface OAuthApp {
  readonly config: AuthConfig
  readonly app: App
  /** Every line of every level, as one text. */
  log(): string
  /** The rows of a table. */
  rows(table: "User" | "Account" | "Session"): Record<string, unknown>[]
}

/** An application with these providers; `changes` are laid over its configuration. */
export async function oauthApp(
  providers: Provider | Provider[],
  changes: Partial<AuthConfig> = {},
): Promise<OAuthApp> {
  const lines: string[] = []
  const note = (...line: unknown[]): void => {
    lines.push(inspect(line, whole))
  }
  const database = openSqlite(":memory:")
  await migrate(database)
  const config: AuthConfig = {
    providers: [providers].flat(),
    secret: oauthSecret,
    trustHost: true,
    adapter: SqlAdapter(database),
    debug: true,
    logger: { error: note, warn: note, debug: note },
    ...changes,
  }
  return {
    config,
    app: (request) => Auth(request, config),
    log: () => lines.join("\n"),
    rows: (table) => database.prepare(`select * from "${table}"`).all(),
  }
}

/** The names of the cookies that a sign-in under way has left in a browser. */
export function flowCookies({ cookies }: Browser): string[] {
  return cookies.names.filter((name) => /state|nonce|pkce/.test(name))
}

/** Asserts that the log has none of the codes, tokens and secrets of a provider. */
export function expectSecretsUnlogged(at: OAuthApp, provider: ScriptedProvider): void {
  const log = at.log()
  expect(provider.secrets.filter((secret) => log.includes(secret))).toEqual([])
}

/** Asserts that an answer refuses, that nobody is in, and that nothing stays behind: no row, no cookie, no secret. */
export async function expectNothingCameOfIt(
  answer: Response,
  visitor: Browser,
  at: OAuthApp,
  provider: ScriptedProvider,
): Promise<void> {
  assertRefused(answer)
  expect(await visitor.session()).toBeNull()
  expect([at.rows("User"), at.rows("Account"), at.rows("Session")]).toEqual([[], [], []])
  expect(flowCookies(visitor)).toEqual([])
  expect(visitor.cookies.rejected).toEqual([])
  expectSecretsUnlogged(at, provider)
}
