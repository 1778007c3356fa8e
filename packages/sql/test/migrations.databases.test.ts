import { type MigrationReport, migrate, migrationSql, type SqlDatabase } from "@latchkey/sql"
import { sql } from "kysely"
import { beforeEach, describe, expect, test } from "vitest"
import { migrations } from "../src/migrations/all-migrations.ts"
import type { Migration } from "../src/migrations/migration.ts"
import { runMigrations } from "../src/migrations/run-migrations.ts"
import {
  createAdapter,
  listTables,
  type TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { createSignedInUser, newUser } from "./support/test-records.ts"
import { createTestStore } from "./support/test-store.ts"
import { runInWorkers, runUntilKilled } from "./support/worker-processes.ts"

const latest = migrations.length
const allStepNames = migrations.map(
  ({ version, name }) => `${String(version).padStart(4, "0")}-${name}`,
)

const runOptions = { adopt: false, dryRun: false }

describe.each(databaseKinds)("migrate, on $name", (kind) => {
  let opened: TestDatabase
  let database: SqlDatabase

  beforeEach(async () => {
    opened = await kind.open()
    database = opened.database
  })

  test("creates the tables of a new database", async () => {
    expect(await migrate(database)).toMatchObject({
      from: 0,
      to: latest,
      applied: allStepNames,
      addedFields: [],
    })
    expect(await listTables(kind, opened)).toEqual([
      "Account",
      "Authenticator",
      "LatchkeyAttempt",
      "LatchkeyLease",
      "LatchkeyMigration",
      "Session",
      "User",
      "VerificationToken",
    ])
  })

  test("does nothing the second time, and keeps the rows", async () => {
    await migrate(database)
    const adapter = createAdapter(kind, opened)
    const user = await adapter.createUser(newUser())
    expect(await migrate(database)).toEqual({
      from: latest,
      to: latest,
      applied: [],
      addedFields: [],
      statements: [],
    })
    expect(await adapter.getUser(user.id)).toEqual(user)
  })

  test("updates a database of the first version, and users stay signed in", async () => {
    const store = createTestStore(database)
    expect(await runMigrations(store, runOptions, migrations.slice(0, 1))).toMatchObject({ to: 1 })
    const before = await listTables(kind, opened)
    expect(before).not.toContain("LatchkeyLease")
    const adapter = createAdapter(kind, opened)
    const { sessionToken, user } = await createSignedInUser(adapter)
    const lease = { key: "k", holder: "a", lifetime: 60_000 }
    await expect(adapter.acquireLease(lease)).rejects.toMatchObject({ code: "unmigrated" })
    const plan = await migrate(database, { dryRun: true })
    expect(plan).toMatchObject({ from: 1, to: latest, applied: allStepNames.slice(1) })
    expect(plan.statements[0]).toMatch(/^create table .LatchkeyLease./)
    expect(await listTables(kind, opened)).toEqual(before)

    expect(await migrate(database)).toEqual(plan)

    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
    expect(await adapter.acquireLease(lease)).toEqual({ state: "granted" })
    expect(await migrate(database)).toMatchObject({ from: latest, applied: [] })
  })

  test("applies every step once if called twice concurrently", async () => {
    const [first, second] = await Promise.all([migrate(database), migrate(database)])
    expect([...first.applied, ...second.applied].toSorted()).toEqual(allStepNames)
  })

  const recordLaterStep = (version: number) => {
    const date = kind.dialect === "sqlite" ? 0 : "2030-01-01 00:00:00"
    return opened.query(`insert into "LatchkeyMigration" values (${version}, 'future', ?)`, date)
  }

  test("leaves the steps of a later minor version alone, after a deployment was rolled back", async () => {
    await migrate(database)
    await recordLaterStep(999)
    const report = await migrate(database, { userFields: { role: "text" } })
    expect(report).toMatchObject({ from: 999, to: 999, applied: [] })
    expect(report.addedFields).toEqual(["role"])
  })

  test("refuses a database of the next major version, names both versions, and changes nothing", async () => {
    await migrate(database)
    await recordLaterStep(1000)
    const refused = migrate(database, { userFields: { role: "text" } })
    await expect(refused).rejects.toMatchObject({ code: "newer-database", operation: "migrate" })
    await expect(refused).rejects.toThrow(
      `the database has version 1000, this code knows version ${latest}`,
    )
    await expect(opened.query('select role from "User"')).rejects.toThrow()
  })

  test("does not change an application's table of the same name", async () => {
    await opened.query('create table "Session" (login int)')
    const refused = migrate(database)
    await expect(refused).rejects.toMatchObject({ code: "name-taken" })
    await expect(refused).rejects.toThrow("`names`")
    const record = kind.dialect === "mysql" ? ["LatchkeyMigration"] : []
    expect(await listTables(kind, opened)).toEqual([...record, "Session"])
    await migrate(database, { names: { Session: "auth_session" } })
    expect(await listTables(kind, opened)).toContain("auth_session")
  })

  test("creates two sets of tables in one database", async () => {
    const names = {
      User: { table: "staff_user", columns: { emailVerified: "email_verified" } },
      Account: "staff_account",
      Session: {
        table: "staff_session",
        columns: { id: null, sessionToken: "session_token", userId: "user_id", expires: "until" },
      },
      VerificationToken: "staff_token",
      Authenticator: "staff_passkey",
      LatchkeyLease: { table: "staff_lease", columns: { key: "work", result: "outcome" } },
      LatchkeyAttempt: { table: "staff_attempt", columns: { count: "times" } },
      LatchkeyMigration: { table: "staff_migration", columns: { appliedAt: "applied_at" } },
    }
    const customers = createAdapter(kind, opened, { migrate: true })
    const staff = createAdapter(kind, opened, { migrate: true, names })
    const user = await staff.createUser(newUser({ emailVerified: new Date("2026-01-01") }))
    const session = { sessionToken: "t", userId: user.id, expires: new Date("2030-01-01") }
    await staff.createSession(session)
    expect(await staff.getSessionAndUser("t")).toEqual({ session, user })
    expect(await staff.updateSession(session)).not.toBeNull()
    expect(await customers.getSessionAndUser("t")).toBeNull()
    expect(
      await opened.query("select until from staff_session where user_id = ?", user.id),
    ).toHaveLength(1)
    expect(await staff.deleteUser(user.id)).toEqual(user)
    expect(await staff.getSessionAndUser("t")).toBeNull()
    const lease = { key: "k", holder: "a", lifetime: 60_000 }
    expect(await staff.acquireLease(lease)).toEqual({ state: "granted" })
    expect(await staff.completeLease({ ...lease, result: "done" })).toBe(true)
    await staff.releaseLease(lease)
    expect(await opened.query("select outcome from staff_lease where work = 'k'")).toHaveLength(1)
    expect(await customers.acquireLease({ ...lease, holder: "b" })).toEqual({ state: "granted" })
    expect(await staff.deleteExpired(new Date("2100-01-01"), 10)).toBe(1)
  })

  test("a dry run returns the statements without running them", async () => {
    const options = { userFields: { role: "text" } } as const
    const plan = await migrate(database, { ...options, dryRun: true })
    expect(plan).toMatchObject({ from: 0, to: latest, applied: allStepNames })
    expect(plan.statements[0]).toMatch(/^create table .User./)
    expect(await listTables(kind, opened)).toEqual([])
    await migrate(database)
    const fields = await migrate(database, { ...options, dryRun: true })
    expect(fields).toMatchObject({ applied: [], addedFields: ["role"] })
    expect(fields.statements).toHaveLength(1)
    expect(await migrate(database, options)).toEqual(fields)
  })

  test("accepts an infinite timeout", async () => {
    const { applied } = await migrate(database, { busyTimeout: Number.POSITIVE_INFINITY })
    expect(applied).toEqual(allStepNames)
  })

  test("has the same result as the plain SQL", async () => {
    const script = migrationSql(kind.dialect, { userFields: { role: "text" } })
    for (const statement of script.split(";\n").filter(Boolean)) {
      // Otherwise one connection of the pool might begin a transaction and another one commit.
      if (!/^(begin|commit)$/.test(statement)) await opened.query(statement)
    }
    expect(await migrate(database, { userFields: { role: "text" } })).toMatchObject({
      from: latest,
      statements: [],
    })
    const user = await createAdapter(kind, opened).createUser(newUser())
    expect(user).toMatchObject({ name: user.name })
  })
})

describe("a step that fails", () => {
  const second: Migration = {
    version: latest + 1,
    name: "half",
    statements: ({ query, dialect }) => [
      query.schema.alterTable("User").addColumn("half", dialect.columnTypes.text),
      query.updateTable("User").set({ name: sql.lit("changed") }),
      query.schema.alterTable("Nothing" as "User").addColumn("x", dialect.columnTypes.text),
    ],
  }

  test.each(databaseKinds)("is rolled back or continued, on $name", async (kind) => {
    const opened = await kind.open()
    await migrate(opened.database)
    const adapter = createAdapter(kind, opened)
    const user = await adapter.createUser(newUser())
    const store = createTestStore(opened.database)

    const failed = runMigrations(store, runOptions, [...migrations, second])
    await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/unmigrated|failed/) })

    const stays = kind.dialect === "mysql"
    expect(await adapter.getUser(user.id)).toEqual(stays ? { ...user, name: "changed" } : user)
    const half = opened.query('select half from "User"')
    if (stays) await half
    else await expect(half).rejects.toThrow()
    expect(await migrate(opened.database)).toMatchObject({ from: latest, applied: [] })
    const repaired: Migration = {
      ...second,
      statements: (context) => second.statements(context).slice(0, 2),
    }
    expect(await runMigrations(store, runOptions, [...migrations, repaired])).toMatchObject({
      from: latest,
      applied: [expect.stringContaining("half")],
    })
    expect(await opened.query('select half from "User"')).toEqual([{ half: null }])
  })
})

const sharedKinds = databaseKinds.filter(
  ({ name }) => !["SQLite", "SQLite without RETURNING", "PGlite"].includes(name),
)

describe.each(sharedKinds)("processes, on $name", (kind) => {
  test("ten that start concurrently share the work", async () => {
    const { address = "" } = await kind.open()
    const reports = await runInWorkers(address, "migrate", 10)
    const done = expect.objectContaining({ to: latest })
    expect(reports).toEqual(Array.from({ length: 10 }, () => done))
    const work = reports as MigrationReport[]
    expect(work.flatMap(({ applied }) => applied).toSorted()).toEqual(allStepNames)
    expect(work.flatMap(({ addedFields }) => addedFields)).toEqual(["role"])
  })

  test("four that start concurrently on a database of the first version share the work", async () => {
    const { address = "", database } = await kind.open()
    await runMigrations(createTestStore(database), runOptions, migrations.slice(0, 1))
    const reports = await runInWorkers(address, "migrate", 4)
    const work = reports as MigrationReport[]
    expect(work).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ to: latest })))
    expect(work.flatMap(({ applied }) => applied).toSorted()).toEqual(allStepNames.slice(1))
  })

  test("the next one continues after one was killed during a step", async () => {
    const opened = await kind.open()
    const tasks = { mysql: "crashMariadb", postgres: "crashPostgres", sqlite: "crashSqlite" }
    expect(await runUntilKilled(opened.address ?? "", tasks[kind.dialect])).toBe("SIGKILL")
    const left = await listTables(kind, opened)
    expect(left).toEqual(
      kind.dialect === "mysql" ? ["Account", "LatchkeyMigration", "Session", "User"] : [],
    )
    expect(await migrate(opened.database)).toMatchObject({ from: 0, applied: allStepNames })
    const adapter = createAdapter(kind, opened)
    const user = await adapter.createUser(newUser())
    expect(await adapter.getUser(user.id)).toEqual(user)
    expect(await migrate(opened.database)).toMatchObject({ from: latest, applied: [] })
  })
})

describe("without migrate", () => {
  test.each(databaseKinds)("every call rejects with a hint, on $name", async (kind) => {
    const adapter = createAdapter(kind, await kind.open())
    await expect(adapter.getUser("x")).rejects.toMatchObject({ code: "unmigrated" })
    await expect(adapter.createUser(newUser())).rejects.toThrow("Call migrate(database, options)")
    await expect(adapter.useVerificationToken({ identifier: "a", token: "b" })).rejects.toThrow(
      "useVerificationToken: a table or column is missing",
    )
    await expect(adapter.deleteUser("x")).rejects.toMatchObject({ code: "unmigrated" })
  })
})

describe.each(databaseKinds)("additional fields of users, on $name", (kind) => {
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

  test("are stored and returned with every user", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true, userFields })
    const user = { ...newUser(), ...facts }
    expect(await adapter.createUser(user)).toEqual(user)
    await adapter.createSession({
      sessionToken: "t",
      userId: user.id,
      expires: new Date("2030-01-01"),
    })
    expect((await adapter.getSessionAndUser("t"))?.user).toEqual(user)
    const changed = { ...user, role: "reader", admin: false, settings: null }
    expect(await adapter.updateUser(changed)).toEqual(changed)
    expect(await adapter.getUserByEmail(user.email)).toEqual(changed)
  })

  test("are null if they are omitted", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true, userFields })
    const user = await adapter.createUser(newUser())
    expect(await adapter.getUser(user.id)).toEqual(user)
    expect(user).toMatchObject({ role: null, credits: null, admin: null, since: null })
  })

  test("are added to an existing database, once", async () => {
    const opened = await kind.open()
    const { database } = opened
    await migrate(database)
    const user = await createAdapter(kind, opened).createUser(newUser())
    const adapter = createAdapter(kind, opened, { userFields })
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

  test("must have the declared type", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true, userFields })
    const wrong = [{ role: {} }, { admin: "yes" }, { since: "2026" }, { credits: Number.NaN }]
    for (const facts of wrong) {
      const user = { ...newUser(), ...facts }
      await expect(adapter.createUser(user)).rejects.toThrow(`User.${Object.keys(facts)[0]}`)
    }
  })
})
