import { migrate, migrationSql, SqlAdapter, type SqlAdapterOptions } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { openTestDatabase } from "./support/sqlite-files.ts"

describe("an error names the invalid option", () => {
  const wrong: readonly [expected: string, options: object][] = [
    ["`tableNames`", { tableNames: {} }],
    ["`busyTimeout`", { busyTimeout: -1 }],
    ["`busyTimeout`", { busyTimeout: "5s" }],
    ["`migrate`", { migrate: "yes" }],
    ["`names.user`", { names: { user: "x" } }],
    ["`names.User`", { names: { User: 'x" (id); --' } }],
    ["`names.User`", { names: { User: "main.User" } }],
    ["`names.User`", { names: { User: "" } }],
    ["`names`", { names: { User: "session" } }],
    ["`names.User`", { names: { User: "u".repeat(45) } }],
    ["`names.User`", { names: { User: { table: 'x" (id); --' } } }],
    ["`names.Session.columns.token`", { names: { Session: { columns: { token: "x" } } } }],
    ["`names.Session.columns.expires`", { names: { Session: { columns: { expires: "a b" } } } }],
    ["`names.Session.columns.expires`", { names: { Session: { columns: { expires: null } } } }],
    ["`names.User.columns.id`", { names: { User: { columns: { id: null } } } }],
    ["`ids`", { ids: "uuid" }],
    ["`adopt`", { adopt: 1 }],
    ["`sessionRecords`", { sessionRecords: {} }],
    ["`notify`", { sessionRecords: true, notify: 1 }],
    ["`notify` needs `sessionRecords: true`", { notify: true }],
    ["`sweepInterval`", { sweepInterval: -1 }],
    ["`sweepInterval`", { sweepInterval: "often" }],
    ["`userFields.email`", { userFields: { email: "text" } }],
    ["`userFields.EmailVerified`", { userFields: { EmailVerified: "date" } }],
    ["`userFields.a b`", { userFields: { "a b": "text" } }],
    ["`userFields.constructor`", { userFields: { constructor: "text" } }],
    ["`userFields.A`", { userFields: { a: "text", A: "text" } }],
    ["`userFields.role`", { userFields: { role: "string" } }],
    [
      "`userFields.mail`",
      { userFields: { mail: "text" }, names: { User: { columns: { email: "mail" } } } },
    ],
  ]

  test.each(wrong)("%s in %j", async (expected, options) => {
    const database = openTestDatabase(":memory:")
    expect(() => SqlAdapter(database, options as SqlAdapterOptions)).toThrow(TypeError)
    expect(() => SqlAdapter(database, options as SqlAdapterOptions)).toThrow(expected)
    await expect(migrate(database, options as SqlAdapterOptions)).rejects.toThrow(expected)
  })

  test.each([
    undefined,
    null,
    "auth.db",
    {},
    { prepare: 1, exec: 1 },
    { query: () => undefined },
    { getConnection: () => undefined },
  ])("`database`, when it is %j", async (database) => {
    expect(() => SqlAdapter(database as never)).toThrow(/`database` must be an open database/)
    await expect(migrate(database as never)).rejects.toThrow(TypeError)
  })

  test("are read only once", async () => {
    const userFields: Record<string, "text"> = { role: "text" }
    const adapter = SqlAdapter(openTestDatabase(":memory:"), { migrate: true, userFields })
    userFields["later"] = "text"
    expect(await adapter.getUser("x")).toBeNull()
  })
})

test("notifications of a database without them are refused", () => {
  const options = { sessionRecords: true, notify: true }
  const database = openTestDatabase(":memory:")
  expect(() => SqlAdapter(database, options)).toThrow("`notify` needs a `Pool` of `pg`")
})

test("an invalid `dryRun` or dialect is refused", async () => {
  const database = openTestDatabase(":memory:")
  await expect(migrate(database, { dryRun: 1 as never })).rejects.toThrow("`dryRun`")
  expect(() => migrationSql("oracle" as never)).toThrow("`dialect`")
})

test("a Kysely instance of an unsupported database is refused", () => {
  const adapter = { supportsOutput: true, supportsTransactionalDdl: true }
  const nothing = () => ({})
  const kysely = {
    executeQuery: nothing,
    getExecutor: () => ({ adapter }),
    withoutPlugins: nothing,
    transaction: nothing,
    connection: nothing,
  }
  expect(() => SqlAdapter(kysely)).toThrow("is not supported")
})

test("two fields with the same column are refused", () => {
  const columns = { provider: "name", providerAccountId: "NAME" }
  const options = { names: { Account: { columns } } }
  expect(() => migrationSql("sqlite", options)).toThrow("every field a column of its own")
  const swapped = { names: { User: { columns: { name: "image", image: "name" } } } }
  const absent = { names: { Session: { columns: { id: null, sessionToken: "id" } } } }
  for (const fine of [swapped, absent]) expect(migrationSql("sqlite", fine)).toContain("create")
})
