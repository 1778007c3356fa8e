/** An application whose people sign in with a name and a password, and a record of what it was asked and logged. */
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { type Browser, type BrowserOptions, browser, errorOf } from "@latchkey/testing"
import { onTestFinished } from "vitest"

export const secret = "0123456789abcdef0123456789abcdef"
export const password = "open sesame"

/** A configuration without `raw`: what `Auth` answers with a `Response`. */
export type Config = Omit<AuthConfig, "raw">

export interface People {
  readonly config: Config
  /** The fields that `authorize` was asked about. */
  readonly attempts: Record<string, unknown>[]
  /** The codes that were logged as errors. */
  readonly errors: string[]
  /** Everything that was logged, as text. */
  readonly lines: string[]
  readonly handle: (request: Request) => Promise<Response>
  /** Opens a browser at the application. */
  browser(options?: BrowserOptions): Browser
  /** Opens a browser and signs a person in. */
  signedIn(name?: string, options?: BrowserOptions): Promise<Browser>
}

/** People whose sessions are kept in cookies, unless `changes` says otherwise. */
export function people(changes: Partial<Config> = {}): People {
  const attempts: Record<string, unknown>[] = []
  const errors: string[] = []
  const lines: string[] = []
  const keep = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const config: Config = {
    providers: [
      credentials({
        credentials: { name: {}, password: {} },
        authorize(fields) {
          attempts.push(fields)
          const { name } = fields
          return fields["password"] === password ? person(String(name)) : null
        },
      }),
    ],
    secret,
    trustHost: true,
    logger: {
      error(code, ...message) {
        errors.push(code)
        keep(code, ...message)
      },
      warn: keep,
      debug: keep,
    },
    ...changes,
  }
  const handle = (request: Request) => Auth(request, config)
  const open = (options?: BrowserOptions) => browser(handle, options)
  return {
    config,
    attempts,
    errors,
    lines,
    handle,
    browser: open,
    async signedIn(name = "ada", options) {
      const opened = open(options)
      await signIn(opened, name)
      return opened
    },
  }
}

/** Signs a person in with the credentials form. */
export async function signIn(who: Browser, name: string): Promise<Response> {
  const answer = await who.signIn("credentials", { name, password })
  const error = errorOf(answer)
  if (answer.status !== 302 || error) throw new Error(`${name} could not sign in: ${error}`)
  return answer
}

/** A person as `authorize` describes them. */
function person(name: string) {
  return { id: `user-${name}`, name, email: `${name}@example.com`, image: null }
}

/** The value of a browser's session cookie, over however many cookies; empty when there is none. */
export function sessionCookie(who: Browser, name = "__Secure-authjs.session-token"): string {
  const whole = who.cookies.get(name)
  if (whole) return whole.value
  const chunks = [...who.cookies].filter((cookie) => cookie.name.startsWith(`${name}.`))
  const order = (cookie: { name: string }) => Number(cookie.name.slice(name.length + 1))
  return chunks
    .sort((a, b) => order(a) - order(b))
    .map(({ value }) => value)
    .join("")
}

export interface StoredPeople extends People {
  readonly adapter: Required<Adapter>
  readonly database: ReturnType<typeof openSqlite>
  /** How many rows a table has. */
  count(table: "User" | "Session"): number
}

/** People whose sessions are kept in SQLite; `ada` and `bob` are stored. */
export async function storedPeople(changes: Partial<Config> = {}): Promise<StoredPeople> {
  const database = openSqlite(":memory:")
  onTestFinished(() => database.close())
  await migrate(database)
  const adapter = SqlAdapter(database)
  for (const name of ["ada", "bob"]) {
    await adapter.createUser({ ...person(name), emailVerified: null })
  }
  return {
    ...people({ adapter, ...changes }),
    adapter,
    database,
    count(table) {
      const row = database.prepare(`select count(*) as count from "${table}"`).get()
      return Number(row?.["count"])
    },
  }
}
