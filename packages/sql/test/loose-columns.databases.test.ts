/** Key columns whose collation treats different texts as equal. */
import { createAuth } from "@latchkey/core"
import { migrate, migrationSql, SqlAdapter } from "@latchkey/sql"
import { expect, onTestFinished, test, vi } from "vitest"
import { maintenanceSymbol } from "../src/maintenance.ts"
import type { DatabaseKind } from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { newAccount, newUser } from "./support/test-records.ts"

const kinds = databaseKinds.filter(({ name }) => !/file|RETURNING/.test(name))
const secret = "a secret of the application, long enough: 1"

/** Creates the tables, with the usual collation of the engine for keys. */
async function openLoose(kind: DatabaseKind) {
  const opened = await kind.open()
  if (kind.dialect === "sqlite") {
    const statements = migrationSql("sqlite").split(";\n")
    for (const statement of statements.filter((each) => each.trim() !== ""))
      await opened.query(
        statement.replaceAll(/"(email|providerAccountId|sessionToken)" text/g, "$& collate nocase"),
      )
  } else {
    await migrate(opened.database)
    if (kind.dialect === "postgres")
      await opened.query(
        "create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
      )
    for (const [table, column] of [
      ["User", "email"],
      ["Account", "providerAccountId"],
      ["Session", "sessionToken"],
    ])
      await opened.query(
        kind.dialect === "mysql"
          ? `alter table "${table}" modify "${column}" varchar(200) character set utf8mb4 collate utf8mb4_general_ci`
          : `alter table "${table}" alter column "${column}" type text collate loose`,
      )
  }
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
  onTestFinished(() => warn.mockRestore())
  return { ...opened, adapter: SqlAdapter(opened.database), warn }
}

test.each(kinds)("keys that the database treats as equal find nothing, on $name", async (kind) => {
  const { adapter } = await openLoose(kind)
  const user = await adapter.createUser(newUser())
  await adapter.linkAccount(newAccount(user, { provider: "p", providerAccountId: "kX9" }))
  const expires = new Date(Date.now() + 86_400_000)
  await adapter.createSession({ sessionToken: "tOken", userId: user.id, expires })
  const auth = createAuth({ adapter, providers: [], secret, trustHost: true })
  const readSession = async (token: string) => {
    const headers = new Headers({ cookie: `authjs.session-token=${token}` })
    return (await auth.getSession({ headers, url: new URL("http://localhost:3000/") })).session
  }

  const find = (id: string) => adapter.getUserByAccount({ provider: "p", providerAccountId: id })
  expect(await find("Kx9")).toBeNull()
  expect(await find("kX9")).toMatchObject({ id: user.id })
  expect(await readSession("ToKEN")).toBeNull()
  expect(await readSession("tOken")).not.toBeNull()
})

test.each(kinds)(
  "each such column is named with its fix at the first use, on $name",
  async (kind) => {
    const { adapter, warn } = await openLoose(kind)
    await adapter.getUser("unknown")
    const count = kind.dialect === "sqlite" ? 2 : 3 // addresses may ignore case
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(count), 10_000)
    await adapter.getUser("unknown")
    expect(warn).toHaveBeenCalledTimes(count)
    expect(warn.mock.calls.join()).toContain("Account.providerAccountId")
  },
)

test.each(kinds.filter(({ dialect }) => dialect !== "sqlite"))(
  "the statements fix the columns, on $name",
  async (kind) => {
    const { adapter, query } = await openLoose(kind)
    const maintenance = adapter[maintenanceSymbol]
    for (const { fix } of await maintenance.findLooseColumns())
      await query(kind.dialect === "mysql" ? fix.replaceAll("`", '"') : fix)
    expect(await maintenance.findLooseColumns()).toEqual([])
  },
)

test.each(kinds)("migrated tables compare exactly, on $name", async (kind) => {
  const { database } = await kind.open()
  await migrate(database)
  expect(await SqlAdapter(database)[maintenanceSymbol].findLooseColumns()).toEqual([])
})
