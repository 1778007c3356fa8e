import { getAuth } from "@latchkey/qwik"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { expect, test, vi } from "vitest"
import { openTestApplication, type QwikEvent } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

type TestEvent = QwikEvent & { json(status: number, data: unknown): void }

const account = {
  userId: "ada",
  provider: "github",
  providerAccountId: "7",
  type: "oauth",
} as const

test("`getAuth` returns functions that use the adapter of the configuration", async () => {
  const listAccounts = async (userId: string) => (userId === "ada" ? [account] : [])
  const config = createConfig({ adapter: { listAccounts }, session: { strategy: "jwt" } })
  const onGet = async (event: TestEvent) => {
    const [auth, withConfig] = [getAuth(event), getAuth(event, config)]
    const lists = [await auth.accounts.list("ada"), await withConfig.accounts.list("grace")]
    event.json(200, lists)
  }
  const { visitor } = openTestApplication({ config, routes: { "/accounts": { onGet } } })
  const { userId: _, ...linked } = account
  expect(await (await visitor.open("/accounts")).json()).toEqual([[linked], []])
})

test("`getAuth` manages the recorded sessions of users", async () => {
  const database = openSqlite(":memory:")
  database.exec(migrationSql("sqlite", { sessionRecords: true }))
  const adapter = SqlAdapter(database, { sessionRecords: true })
  const config = createConfig({ adapter, session: { strategy: "jwt", records: true } })
  const now = new Date()
  const times = { createdAt: now, lastSeenAt: now, expires: new Date(now.getTime() + 60_000) }
  const provider = { providerSession: null, providerSubject: null }
  const record = { id: "1", userId: "ada", ...times, ...provider, details: "{}" }
  await adapter.saveSessionRecord(record)
  const onGet = async (event: TestEvent) => {
    const { sessions } = getAuth(event)
    const found = (await sessions.list("ada")).map(({ id }) => id)
    const single = (await sessions.get("1"))?.id
    const isUpdated = await sessions.update("1", { role: "editor" })
    const count = await sessions.revokeAll("ada", { except: "1" })
    const revoked = (await sessions.revoke("1"))?.id
    event.json(200, [found, single, isUpdated, count, revoked, await sessions.list("ada")])
  }
  const { visitor } = openTestApplication({ config, routes: { "/sessions": { onGet } } })
  const results = await (await visitor.open("/sessions")).json()
  expect(results).toEqual([["1"], "1", true, 0, "1", []])
  database.close()
})
