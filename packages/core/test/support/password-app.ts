/** An application whose users sign in with a name and a password, and a record of its calls and logs. */
import type { DatabaseSync } from "node:sqlite"
import { Auth, type AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { SqlAdapter } from "@latchkey/sql"
import {
  type BrowserOptions,
  createTestBrowser,
  getRedirectError,
  resetAttemptLimits,
  type TestBrowser,
} from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { openMigratedDatabase } from "./migrated-database.ts"

export const secret = "0123456789abcdef0123456789abcdef"
export const password = "open sesame"

/** A configuration without `raw`, for which `Auth` returns a `Response`. */
export type PasswordAppConfig = Omit<AuthConfig, "raw">

export interface PasswordApp {
  readonly config: PasswordAppConfig
  /** The fields that `authorize` was asked about. */
  readonly authorizeCalls: Record<string, unknown>[]
  /** The codes that were logged as errors. */
  readonly errorCodes: string[]
  /** Everything that was logged, as text. */
  readonly lines: string[]
  readonly handle: (request: Request) => Promise<Response>
  /** Opens a browser at the application. */
  openBrowser(options?: BrowserOptions): TestBrowser
  /** Opens a browser and signs a user in. */
  openSignedInBrowser(name?: string, options?: BrowserOptions): Promise<TestBrowser>
}

/** An application with cookie sessions, unless `changes` says otherwise. */
export function createPasswordApp(changes: Partial<PasswordAppConfig> = {}): PasswordApp {
  const authorizeCalls: Record<string, unknown>[] = []
  const errorCodes: string[] = []
  const lines: string[] = []
  // Test files share a process and its counters, and sign in as the same user.
  resetAttemptLimits()
  const record = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const config: PasswordAppConfig = {
    providers: [
      credentials({
        credentials: { name: {}, password: {} },
        authorize(fields) {
          authorizeCalls.push(fields)
          const { name } = fields
          return fields["password"] === password ? createUserProfile(String(name)) : null
        },
      }),
    ],
    secret,
    trustHost: true,
    logger: {
      error(code, ...message) {
        errorCodes.push(code)
        record(code, ...message)
      },
      warn: record,
      debug: record,
    },
    ...changes,
  }
  const handle = (request: Request) => Auth(request, config)
  const openBrowser = (options?: BrowserOptions) => createTestBrowser(handle, options)
  return {
    config,
    authorizeCalls,
    errorCodes,
    lines,
    handle,
    openBrowser,
    async openSignedInBrowser(name = "ada", options) {
      const browserSession = openBrowser(options)
      await signInWithPassword(browserSession, name)
      return browserSession
    },
  }
}

/** Signs a user in with the credentials form. */
export async function signInWithPassword(browser: TestBrowser, name: string): Promise<Response> {
  const response = await browser.signIn("credentials", { name, password })
  const error = getRedirectError(response)
  if (response.status !== 302 || error) throw new Error(`${name} could not sign in: ${error}`)
  return response
}

/** A user as `authorize` returns it. */
function createUserProfile(name: string) {
  return { id: `user-${name}`, name, email: `${name}@example.com`, image: null }
}

/** Returns the value of a browser's session cookie, whatever its chunks; empty if there is none. */
export function readSessionCookie(
  browser: TestBrowser,
  name = "__Secure-authjs.session-token",
): string {
  const unchunked = browser.cookies.get(name)
  if (unchunked) return unchunked.value
  const chunks = [...browser.cookies].filter((cookie) => cookie.name.startsWith(`${name}.`))
  const chunkIndex = (cookie: { name: string }) => Number(cookie.name.slice(name.length + 1))
  return chunks
    .sort((a, b) => chunkIndex(a) - chunkIndex(b))
    .map(({ value }) => value)
    .join("")
}

export interface StoredPasswordApp extends PasswordApp {
  readonly adapter: SqlAdapter
  readonly database: DatabaseSync
  /** How many rows a table has. */
  countRows(table: "User" | "Session"): number
}

/** An application with sessions in SQLite; `ada` and `bob` are stored. */
export async function createStoredPasswordApp(
  changes: Partial<PasswordAppConfig> = {},
): Promise<StoredPasswordApp> {
  const database = openMigratedDatabase()
  onTestFinished(() => database.close())
  const adapter = SqlAdapter(database)
  for (const name of ["ada", "bob"]) {
    await adapter.createUser({ ...createUserProfile(name), emailVerified: null })
  }
  return {
    ...createPasswordApp({ adapter, ...changes }),
    adapter,
    database,
    countRows(table) {
      const row = database.prepare(`select count(*) as count from "${table}"`).get()
      return Number(row?.["count"])
    },
  }
}
