import { DatabaseSync } from "node:sqlite"
import { type MigrationReport, migrate, SqlAdapter, type SqliteDatabase } from "@latchkey/sql"
import { sql } from "kysely"
import { describe, expect, test } from "vitest"
import { openEngine } from "../src/engines/open.ts"
import { migrations } from "../src/migrations/list.ts"
import type { Migration } from "../src/migrations/migration.ts"
import { runMigrations } from "../src/migrations/run.ts"
import { resolveOptions } from "../src/options.ts"
import { createStore } from "../src/store.ts"
import { kinds, opened, temporaryFile } from "./support/databases.ts"
import { person } from "./support/people.ts"
import { die, race } from "./support/processes.ts"

const latest = migrations.length
const all = migrations.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}`)

function tables(database: DatabaseSync): unknown[] {
  const names = database.prepare("select name from sqlite_schema where type = 'table' order by 1")
  return names.all().map(({ name }) => name)
}

describe.each(kinds)("migrate, on $name", (kind) => {
  test("creates the tables of a new database", async () => {
    const database = kind.open()
    expect(await migrate(database)).toEqual({ from: 0, to: latest, applied: all, addedFields: [] })
    expect(tables(database)).toEqual([
      "Account",
      "Authenticator",
      "LatchkeyMigration",
      "Session",
      "User",
      "VerificationToken",
    ])
  })

  test("does nothing the second time, and keeps what is there", async () => {
    const database = kind.open()
    await migrate(database)
    const adapter = kind.adapter(database)
    const user = await adapter.createUser(person())
    expect(await migrate(database)).toEqual({
      from: latest,
      to: latest,
      applied: [],
      addedFields: [],
    })
    expect(await adapter.getUser(user.id)).toEqual(user)
  })

  test("called twice at once, applies every step once", async () => {
    const database = kind.open()
    const [first, second] = await Promise.all([migrate(database), migrate(database)])
    expect([...first.applied, ...second.applied]).toEqual(all)
  })

  test("refuses a database of a newer version, naming both, and changes nothing", async () => {
    const database = kind.open()
    await migrate(database)
    database.exec(`insert into "LatchkeyMigration" values (${latest + 6}, 'future', 0)`)
    const refused = migrate(database, { userFields: { role: "text" } })
    await expect(refused).rejects.toMatchObject({ code: "newer-database", operation: "migrate" })
    await expect(refused).rejects.toThrow(
      `the database has version ${latest + 6}, this code knows version ${latest}`,
    )
    expect(database.prepare("select * from pragma_table_info('User')").all()).toHaveLength(5)
  })

  test("does not touch a table of the application that has the same name", async () => {
    const database = kind.open()
    database.exec("create table User (login text)")
    const refused = migrate(database)
    await expect(refused).rejects.toMatchObject({ code: "table-exists" })
    await expect(refused).rejects.toThrow("`names`")
    expect(tables(database)).toEqual(["User"])
    await migrate(database, { names: { User: "auth_user" } })
    expect(tables(database)).toContain("auth_user")
  })

  test("two sets of tables live in one database", async () => {
    const database = kind.open()
    const names = {
      User: "staff_user",
      Account: "staff_account",
      Session: "staff_session",
      VerificationToken: "staff_token",
      Authenticator: "staff_passkey",
      LatchkeyMigration: "staff_migration",
    }
    const customers = kind.adapter(database, { migrate: true })
    const staff = kind.adapter(database, { migrate: true, names })
    const user = await staff.createUser(person())
    await staff.createSession({ sessionToken: "t", userId: user.id, expires: new Date(0) })
    expect(await staff.getSessionAndUser("t")).toMatchObject({ user })
    expect(await customers.getSessionAndUser("t")).toBeNull()
    expect(await staff.deleteUser(user.id)).toEqual(user)
    expect(await staff.getSessionAndUser("t")).toBeNull()
  })
})

describe("a step that fails", () => {
  const second: Migration = {
    version: latest + 1,
    name: "half",
    statements: ({ query, types }) => [
      query.schema.alterTable("User").addColumn("half", types.text),
      query.updateTable("User").set({ name: "changed" }),
      query.schema.alterTable("User").addColumn("name", types.text),
    ],
  }

  test.each(kinds)("leaves nothing behind, on $name", async (kind) => {
    const database = kind.open()
    await migrate(database)
    const adapter = kind.adapter(database)
    const user = await adapter.createUser(person())
    const options = resolveOptions({})
    const store = createStore(openEngine(database, options), options)

    await expect(runMigrations(store, [...migrations, second])).rejects.toThrow("duplicate column")

    expect(await adapter.getUser(user.id)).toEqual(user)
    expect(() => database.prepare('select "half" from "User"')).toThrow("no such column")
    expect(await migrate(database)).toMatchObject({ from: latest, applied: [] })
    const repaired = { ...second, statements: () => [] }
    expect(await runMigrations(store, [...migrations, repaired])).toMatchObject({
      from: latest,
      applied: [expect.stringContaining("half")],
    })
  })

  test("is not taken for one that another process applied", async () => {
    const database = opened(":memory:")
    const options = resolveOptions({})
    const store = createStore(openEngine(database, options), options)
    const insertion = sql`insert into "User" (id) values ('same')`
    const twice: Migration = {
      version: latest + 1,
      name: "twice",
      statements: ({ query }) => [
        { compile: () => insertion.compile(query) },
        { compile: () => insertion.compile(query) },
      ],
    }
    const refused = runMigrations(store, [...migrations, twice])
    await expect(refused).rejects.toMatchObject({ code: "duplicate" })
  })

  test("because the process dies leaves nothing half, and the next one repeats it", async () => {
    const path = temporaryFile()
    expect(await die(path, "crash")).toBe("SIGKILL")
    const database = opened(path)
    expect(tables(database)).toEqual([])
    expect(await migrate(database)).toMatchObject({ from: 0, applied: all })
  })
})

test("four processes that start at once share the work", async () => {
  const path = temporaryFile()
  const reports = await race(path, "migrate", 4)
  expect(reports).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ to: latest })))
  const work = reports as MigrationReport[]
  expect(work.flatMap(({ applied }) => applied)).toEqual(all)
  expect(work.flatMap(({ addedFields }) => addedFields)).toEqual(["role"])
})

describe("without migrate", () => {
  test.each(kinds)("every call says what to do, on $name", async (kind) => {
    const adapter = kind.adapter(kind.open())
    await expect(adapter.getUser("x")).rejects.toMatchObject({ code: "unmigrated" })
    await expect(adapter.createUser(person())).rejects.toThrow("call migrate(database, options)")
    await expect(adapter.useVerificationToken({ identifier: "a", token: "b" })).rejects.toThrow(
      "useVerificationToken: a table or column is missing",
    )
    await expect(adapter.deleteUser("x")).rejects.toMatchObject({ code: "unmigrated" })
  })

  test("an adapter works as soon as the tables are there", async () => {
    const database = opened(":memory:")
    const adapter = SqlAdapter(database)
    await expect(adapter.getUser("x")).rejects.toMatchObject({ code: "unmigrated" })
    await migrate(database)
    expect(await adapter.getUser("x")).toBeNull()
  })

  test("the option migrates once, before the first statement", async () => {
    const database = opened(":memory:")
    const adapter = SqlAdapter(database, { migrate: true })
    expect(tables(database)).toEqual([])
    const found = await Promise.all([adapter.getUser("x"), adapter.getSessionAndUser("t")])
    expect(found).toEqual([null, null])
    database.exec('drop table "Session"')
    await expect(adapter.getSessionAndUser("t")).rejects.toMatchObject({ code: "unmigrated" })
  })

  test("the option tries again after it failed", async () => {
    const database = opened(":memory:")
    database.exec("create table Session (x)")
    const adapter = SqlAdapter(database, { migrate: true })
    await expect(adapter.getUser("x")).rejects.toMatchObject({ code: "table-exists" })
    database.exec("drop table Session")
    expect(await adapter.getUser("x")).toBeNull()
  })
})

describe.each(kinds)("additional fields of users, on $name", (kind) => {
  const userFields = {
    role: "text",
    credits: "number",
    admin: "boolean",
    since: "date",
    settings: "json",
  } as const
  const facts = {
    role: "editor",
    credits: 1.25,
    admin: true,
    since: new Date("2026-01-02T03:04:05.678Z"),
    settings: { theme: ["dark"] },
  }

  test("are stored and come back with every user", async () => {
    const adapter = kind.adapter(kind.open(), { migrate: true, userFields })
    const user = { ...person(), ...facts }
    expect(await adapter.createUser(user)).toEqual(user)
    await adapter.createSession({ sessionToken: "t", userId: user.id, expires: new Date(0) })
    expect((await adapter.getSessionAndUser("t"))?.user).toEqual(user)
    const changed = { ...user, role: "reader", admin: false, settings: null }
    expect(await adapter.updateUser(changed)).toEqual(changed)
    expect(await adapter.getUserByEmail(user.email)).toEqual(changed)
  })

  test("are null where they are not given", async () => {
    const adapter = kind.adapter(kind.open(), { migrate: true, userFields })
    const user = await adapter.createUser(person())
    expect(await adapter.getUser(user.id)).toEqual(user)
    expect(user).toMatchObject({ role: null, credits: null, admin: null, since: null })
  })

  test("are added to an existing database, once", async () => {
    const database = kind.open()
    await migrate(database)
    const user = await kind.adapter(database).createUser(person())
    const adapter = kind.adapter(database, { userFields })
    await expect(adapter.getUser(user.id)).rejects.toMatchObject({ code: "unmigrated" })
    const added = Object.keys(userFields)
    const reports = await Promise.all([
      migrate(database, { userFields }),
      migrate(database, { userFields }),
    ])
    expect(reports.flatMap(({ addedFields }) => addedFields).toSorted()).toEqual(added.toSorted())
    expect(await migrate(database, { userFields })).toMatchObject({ addedFields: [] })
    expect(await adapter.getUser(user.id)).toMatchObject({ ...user, role: null })
  })

  test("must hold what was declared", async () => {
    const adapter = kind.adapter(kind.open(), { migrate: true, userFields })
    const wrong = [{ role: {} }, { admin: "yes" }, { since: "2026" }, { credits: Number.NaN }]
    for (const facts of wrong) {
      const user = { ...person(), ...facts }
      await expect(adapter.createUser(user)).rejects.toThrow(`User.${Object.keys(facts)[0]}`)
    }
  })
})

test("a database is described by the methods that are used", async () => {
  const database = new DatabaseSync(":memory:")
  const described: SqliteDatabase = {
    exec: (text) => database.exec(text),
    prepare: (text) => {
      const statement = database.prepare(text)
      return {
        all: (...values) => statement.all(...values),
        run: (...values) => statement.run(...values),
      }
    },
  }
  const adapter = SqlAdapter(described, { migrate: true })
  const user = await adapter.createUser(person())
  expect(await adapter.deleteUser(user.id)).toEqual(user)
  await expect(adapter.linkAccount({ ...user, userId: user.id } as never)).rejects.toThrow()
  database.close()
})
