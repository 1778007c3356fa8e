import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { AuthError, getAuth } from "@latchkey/sveltekit"
import { expect, test, vi } from "vitest"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const account = {
  userId: "ada",
  provider: "github",
  providerAccountId: "7",
  type: "oauth",
} as const

test("`getAuth` returns functions that use the adapter of the configuration", async () => {
  const listAccounts = async (userId: string) => (userId === "ada" ? [account] : [])
  const config = createConfig({ adapter: { listAccounts }, session: { strategy: "jwt" } })
  const { accounts, users } = getAuth(config)
  const { userId: _, ...linked } = account
  expect(await accounts.list("ada")).toEqual([linked])
  expect(await accounts.list("grace")).toEqual([])
  await expect(users.delete("ada")).rejects.toThrow(AuthError)
})

test("`getAuth` manages the recorded sessions of users", async () => {
  const database = openSqlite(":memory:")
  database.exec(migrationSql("sqlite", { sessionRecords: true }))
  const adapter = SqlAdapter(database, { sessionRecords: true })
  const session = { strategy: "jwt", records: true } as const
  const { sessions } = getAuth(createConfig({ adapter, session }))
  const now = new Date()
  const times = { createdAt: now, lastSeenAt: now, expires: new Date(now.getTime() + 60_000) }
  const provider = { providerSession: null, providerSubject: null }
  const record = { id: "1", userId: "ada", ...times, ...provider, details: "{}" }
  await adapter.saveSessionRecord(record)
  expect(await sessions.list("ada")).toMatchObject([{ id: "1", userId: "ada", ...times }])
  expect(await sessions.get("1")).toMatchObject({ id: "1" })
  expect(await sessions.update("1", { role: "editor" })).toBe(true)
  expect(await sessions.revokeAll("ada", { except: "1" })).toBe(0)
  expect(await sessions.revoke("1")).toMatchObject({ id: "1" })
  expect(await sessions.list("ada")).toEqual([])
  database.close()
})
