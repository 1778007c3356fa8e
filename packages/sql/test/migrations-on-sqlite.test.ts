import { DatabaseSync } from "node:sqlite"
import { migrate, migrationSql, SqlAdapter, type SqliteDatabase } from "@latchkey/sql"
import { sql } from "kysely"
import { describe, expect, test } from "vitest"
import { maintenanceSymbol } from "../src/maintenance.ts"
import { migrations } from "../src/migrations/all-migrations.ts"
import type { Migration } from "../src/migrations/migration.ts"
import { runMigrations } from "../src/migrations/run-migrations.ts"
import { openTestDatabase } from "./support/sqlite-files.ts"
import { newUser } from "./support/test-records.ts"
import { createTestStore } from "./support/test-store.ts"

const latest = migrations.length
const runOptions = { adopt: false, dryRun: false }

function listTableNames(database: DatabaseSync): unknown[] {
  const names = database.prepare("select name from sqlite_schema where type = 'table' order by 1")
  return names.all().map(({ name }) => name)
}

test("interrupted plain SQL does not count as completed", async () => {
  const [, ...steps] = migrationSql("mysql").split("create table if not exists `LatchkeyMigration`")
  expect(steps).toHaveLength(latest)
  for (const step of steps) {
    const [, ...statements] = step.split(";\n").filter(Boolean)
    const records = statements.filter((statement) => statement.includes("LatchkeyMigration"))
    expect(records).toEqual([statements.at(-1)])
  }
})

describe("a step that fails", () => {
  test("is not mistaken for a step that another process applied", async () => {
    const store = createTestStore(openTestDatabase(":memory:"))
    const insertion = sql`insert into "User" (id) values ('same')`
    const twice: Migration = {
      version: latest + 1,
      name: "twice",
      statements: ({ query }) => [
        { compile: () => insertion.compile(query) },
        { compile: () => insertion.compile(query) },
      ],
    }
    const refused = runMigrations(store, runOptions, [...migrations, twice])
    await expect(refused).rejects.toMatchObject({ code: "duplicate" })
  })
})

describe("without migrate", () => {
  test("an adapter works as soon as the tables exist", async () => {
    const database = openTestDatabase(":memory:")
    const adapter = SqlAdapter(database)
    await expect(adapter.getUser("x")).rejects.toMatchObject({ code: "unmigrated" })
    await migrate(database)
    expect(await adapter.getUser("x")).toBeNull()
  })

  test("the option migrates once, before the first statement", async () => {
    const database = openTestDatabase(":memory:")
    const adapter = SqlAdapter(database, { migrate: true })
    expect(listTableNames(database)).toEqual([])
    const found = await Promise.all([adapter.getUser("x"), adapter.getSessionAndUser("t")])
    expect(found).toEqual([null, null])
    database.exec('drop table "Session"')
    await expect(adapter.getSessionAndUser("t")).rejects.toMatchObject({ code: "unmigrated" })
  })

  test("the option retries after a failure", async () => {
    const database = openTestDatabase(":memory:")
    database.exec("create table Session (x)")
    const adapter = SqlAdapter(database, { migrate: true })
    await expect(adapter.getUser("x")).rejects.toMatchObject({ code: "name-taken" })
    database.exec("drop table Session")
    expect(await adapter.getUser("x")).toBeNull()
  })
})

test("the types require only the methods that are used", async () => {
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
  const user = await adapter.createUser(newUser())
  expect(await adapter.deleteUser(user.id)).toEqual(user)
  await expect(adapter.linkAccount({ ...user, userId: user.id } as never)).rejects.toThrow()
  database.close()
})

test("each step is reported before it is applied", async () => {
  const database = openTestDatabase(":memory:")
  const tablesAtStep: Record<string, number> = {}
  const onStep = (step: string) => {
    tablesAtStep[step] = listTableNames(database).length
  }
  const adapter = SqlAdapter(database, { userFields: { role: "text" }, sessionRecords: true })

  await adapter[maintenanceSymbol].migrate({ dryRun: true, onStep })
  expect(tablesAtStep).toEqual({})
  const { applied } = await adapter[maintenanceSymbol].migrate({ dryRun: false, onStep })
  expect(Object.keys(tablesAtStep)).toEqual([...applied, "column role"])
  expect(applied).toContain("session-records")
  expect(tablesAtStep["0001-entities"]).toBe(0)
  expect(tablesAtStep["0002-leases"]).toBeGreaterThan(0)
})
