/** An application whose sessions are recorded in SQLite, in several processes. */
import { type AuthConfig, createAuth, type LatchkeyAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { createMemoryLog, type MemoryLog } from "./memory-log.ts"
import { signInWithPassword } from "./password-app.ts"

type Strategy = "jwt" | "database"
type RecordAdapter = Required<Adapter>
export const testSecret = "a secret of the application, long enough: 1"
export const pageUrl = "https://app.example/page"

const schema = migrationSql("sqlite", { sessionRecords: true })

/** A process with the application: a configuration and an adapter of its own. */
export interface RecordProcess {
  readonly auth: LatchkeyAuth
  readonly log: MemoryLog
  /** The adapter, whose methods a test may replace. */
  readonly adapter: RecordAdapter
  openBrowser(): TestBrowser
  signIn(name?: string): Promise<TestBrowser>
  /** Returns the name of the user of a browser's session, as this process reads it; null for nobody. */
  check(browser: TestBrowser): Promise<string | null>
  /** Checks the session with given cookies. */
  checkCookie(cookie: string): Promise<string | null>
}

type SessionRecordOption = Exclude<NonNullable<AuthConfig["session"]>["records"], undefined>

export interface RecordAppOptions {
  readonly strategy: Strategy
  /** By default, every check asks the store. */
  readonly records?: SessionRecordOption
  readonly changes?: Partial<AuthConfig>
}

/** Opens a database, and returns a function that starts a process on it. */
export async function createRecordApp({ strategy, records, changes }: RecordAppOptions): Promise<{
  startProcess(more?: Partial<AuthConfig>): RecordProcess
  countRecords(): number
  query(sql: string): Record<string, unknown>[]
}> {
  const database = openSqlite(":memory:")
  database.exec(schema)
  onTestFinished(() => database.close())
  const users = SqlAdapter(database)
  for (const name of ["ada", "bob"])
    await users.createUser({
      id: `user-${name}`,
      name,
      email: `${name}@example.com`,
      emailVerified: null,
    })
  const query = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[]
  return {
    startProcess: (more) =>
      startProcess(SqlAdapter(database, { sessionRecords: true }) as RecordAdapter, {
        ...changes,
        ...more,
        session: {
          strategy,
          records: records ?? { pollInterval: 0 },
          ...changes?.session,
          ...more?.session,
        },
      }),
    countRecords: () => query('select * from "LatchkeySessionRecord"').length,
    query,
  }
}

/** Starts a process on a store. */
function startProcess(sqlAdapter: RecordAdapter, changes: Partial<AuthConfig>): RecordProcess {
  const adapter = { ...sqlAdapter }
  const log = createMemoryLog()
  const auth = createAuth({
    providers: [
      credentials({
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: `user-${name}`, name: String(name) }),
      }),
    ],
    secret: testSecret,
    trustHost: true,
    attemptLimits: false,
    adapter,
    logger: log.logger,
    ...changes,
  } as AuthConfig)
  const openBrowser = () => createTestBrowser((request) => auth.handle(request))
  const checkCookie = async (cookie: string) => {
    const { session } = await auth.getSession({ headers: new Headers({ cookie }), url: pageUrl })
    return session?.user?.name ?? null
  }
  return {
    auth,
    log,
    adapter,
    openBrowser,
    async signIn(name = "ada") {
      const browser = openBrowser()
      await signInWithPassword(browser, name)
      return browser
    },
    check: (browser) => checkCookie(readCookies(browser)),
    checkCookie,
  }
}

/** Returns the cookies that a browser sends. */
export function readCookies(browser: TestBrowser): string {
  return [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
}
