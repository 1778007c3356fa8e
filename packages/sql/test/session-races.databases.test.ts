/** Sessions of a user that end while others begin, in two processes with connections of their own. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { databaseKinds } from "./support/database-kinds.ts"

const url = "https://app.example/"
const rounds = 10

function startProcess(adapter: Adapter, strategy: "jwt" | "database") {
  const config: AuthConfig = {
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
    attemptLimits: false,
    logger: { error() {}, warn() {} },
    adapter,
    providers: [
      credentials({
        credentials: { id: {} },
        authorize: async ({ id }) => (await adapter.getUser?.(String(id))) ?? null,
      }),
    ],
    session: { strategy, records: { pollInterval: 0 } },
  }
  const auth = createAuth(config)
  return {
    auth,
    /** Returns the cookies of a session. */
    async signIn(id: string): Promise<string> {
      const { cookies } = await auth.signIn({ headers: new Headers(), url }, "credentials", {
        fields: { id },
      })
      return cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    },
    async isSignedIn(cookie: string): Promise<boolean> {
      const { session } = await auth.getSession({ headers: new Headers({ cookie }), url })
      return session !== null
    },
  }
}

describe.each(databaseKinds)("on $name", (kind) => {
  test.each(["jwt", "database"] as const)(
    "what ends stays ended, strategy %s",
    async (strategy) => {
      const opened = await kind.open()
      const options = { sessionRecords: true }
      await migrate(opened.database, options)
      const adapter = SqlAdapter(opened.database, options)
      const first = startProcess(adapter, strategy)
      const other = SqlAdapter(opened.reconnect?.() ?? opened.database, options)
      const second = startProcess(other, strategy)
      const survivors: string[] = []
      for (let round = 0; round < rounds; round++) {
        const { id } = await adapter.createUser({
          id: `user-${round}`,
          email: `${round}@example.com`,
          emailVerified: null,
        })
        const old = await first.signIn(id)
        const [session] = await first.auth.sessions.list(id)
        const except = session?.id
        const started = second.signIn(id).catch(() => "")
        await Promise.all([
          first.auth.sessions.revokeAll(id),
          second.auth.sessions.revokeAll(id, except === undefined ? {} : { except }),
        ])
        if (await second.isSignedIn(old)) survivors.push(`${round}: the one that was spared`)
        const late = first.signIn(id).catch(() => "")
        await second.auth.users.delete(id)
        for (const cookie of await Promise.all([started, late]))
          if (await first.isSignedIn(cookie)) survivors.push(`${round}: of a deleted user`)
        expect(await first.auth.sessions.list(id)).toEqual([])
      }
      expect(survivors).toEqual([])
    },
  )
})
