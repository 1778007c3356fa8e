/** A site for random sequences: one database and one provider, emptied between sequences. */
import { AsyncLocalStorage } from "node:async_hooks"
import { Auth, type AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"

export type Strategy = "jwt" | "database"

/** Seconds. Every check renews a session, so it ends this long after the last one. */
export const sessionMaxAge = 3600
export const linkMaxAge = 7200
export const password = "open sesame"

const tables = ["Session", "Account", "VerificationToken", "User"] as const

export async function createSite(strategy: Strategy) {
  const database = openSqlite(":memory:")
  await migrate(database)
  const adapter = SqlAdapter(database)
  const provider = await createScriptedProvider({ alg: "ES256" })
  const links: string[] = []
  /** The browser whose request is handled. */
  const currentBrowser = new AsyncLocalStorage<TestBrowser>()
  const signIns: (TestBrowser | undefined)[] = []
  const ignore = (): void => undefined
  const createConfig = (secrets: readonly string[]): Omit<AuthConfig, "raw"> => ({
    adapter,
    secret: [...secrets],
    trustHost: true,
    // Every sequence begins at the same time, so that the attempts of thousands would add up.
    attemptLimits: false,
    session: { strategy, maxAge: sessionMaxAge, updateAge: 0 },
    logger: { error: ignore, warn: ignore, debug: ignore },
    events: { signIn: () => void signIns.push(currentBrowser.getStore()) },
    providers: [
      provider.asOidc({ client: { id_token_signed_response_alg: "ES256" } }),
      credentials({
        credentials: { email: {}, password: {} },
        async authorize({ email, password: typed }) {
          return typed === password ? adapter.getUserByEmail?.(String(email)) : null
        },
      }),
      {
        id: "email",
        name: "E-mail",
        type: "email",
        maxAge: linkMaxAge,
        sendVerificationRequest: ({ url }) => void links.push(url),
      },
    ],
  })
  let config = createConfig([])
  const configs = new Map<string, typeof config>()

  return {
    provider,
    links,
    /** The browsers in which somebody signed in. */
    signIns,
    openBrowser(): TestBrowser {
      const browser: TestBrowser = createTestBrowser((request) =>
        currentBrowser.run(browser, () => Auth(request, config)),
      )
      return browser
    },
    /** Configurations are cached, because otherwise they would be compiled again for every sequence. */
    useSecrets(secrets: readonly string[]): void {
      const key = secrets.join()
      config = configs.get(key) ?? createConfig(secrets)
      configs.set(key, config)
    },
    empty(): void {
      for (const table of tables) database.exec(`delete from "${table}"`)
      links.length = 0
      provider.clearRequests()
    },
    /** Each stored user by e-mail address, with the accounts that belong to it. */
    readUsers(): Record<string, string[]> {
      const rows = database
        .prepare(
          'select "User".email as email, "Account"."providerAccountId" as account from "User" left join "Account" on "Account"."userId" = "User".id order by 1, 2',
        )
        .all()
      const users: Record<string, string[]> = {}
      for (const { email, account } of rows) {
        const accounts = users[String(email)] ?? []
        users[String(email)] = account === null ? accounts : [...accounts, String(account)]
      }
      return users
    },
    /** How many sessions are stored that have not expired. */
    countSessions: (): number =>
      database
        .prepare('select expires from "Session"')
        .all()
        .filter(({ expires }) => new Date(expires as string).getTime() > Date.now()).length,
  }
}

export type Site = Awaited<ReturnType<typeof createSite>>
