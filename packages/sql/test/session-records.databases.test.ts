import type { SessionRecord } from "@latchkey/core/adapters"
import { type MigrationReport, migrate, migrationSql } from "@latchkey/sql"
import { describe, expect, test, vi } from "vitest"
import { migrations } from "../src/migrations/all-migrations.ts"
import { runMigrations } from "../src/migrations/run-migrations.ts"
import { createAdapter, listTables, readTable } from "./support/database-kinds/database-kind.ts"
import { databaseKinds, databaseKindsWithKysely } from "./support/database-kinds.ts"
import { newUser } from "./support/test-records.ts"
import { createTestStore } from "./support/test-store.ts"
import { runInWorkers } from "./support/worker-processes.ts"

const latest = migrations.length
const options = { sessionRecords: true } as const
const tables = ["LatchkeySessionChange", "LatchkeySessionRecord"]
const isSessionRecords = (name: unknown) => /SessionRecord|SessionChange/.test(String(name))

function buildRecord(facts: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: "record-1",
    userId: "user-1",
    createdAt: new Date("2026-01-02T03:04:05.678Z"),
    lastSeenAt: new Date("2026-01-02T03:04:05.679Z"),
    expires: new Date("2100-01-01"),
    providerSession: "session-1",
    providerSubject: "subject-1",
    details: "{}",
    ...facts,
  }
}

describe.each(databaseKinds)("the tables of session records, on $name", (kind) => {
  test("exist only with the option, and so do the methods", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    await adapter.deleteUser((await adapter.createUser(newUser())).id)
    expect(await adapter.deleteExpired(new Date(0), 1)).toBe(0)
    expect(Object.keys(adapter).filter(isSessionRecords)).toEqual([])
    expect((await listTables(kind, opened)).filter(isSessionRecords)).toEqual([])
  })

  test("are created in a new database", async () => {
    const opened = await kind.open()
    const { to, applied } = await migrate(opened.database, options)
    expect(to).toBe(latest)
    expect(applied).toHaveLength(latest + 1)
    expect(applied.at(-1)).toBe("session-records")
    expect((await listTables(kind, opened)).filter(isSessionRecords)).toEqual(tables)
    const methods = Object.keys(createAdapter(kind, opened, options)).filter(isSessionRecords)
    expect(methods).toHaveLength(8)
  })

  test("are created when the option is turned on later, and stay when it is turned off", async () => {
    const opened = await kind.open()
    const { database } = opened
    await migrate(database)
    const adapter = createAdapter(kind, opened, options)
    const user = await adapter.createUser(newUser())
    const record = buildRecord({ userId: user.id })
    await expect(adapter.saveSessionRecord(record)).rejects.toMatchObject({ code: "unmigrated" })
    const plan = await migrate(database, { ...options, dryRun: true })
    expect(plan).toMatchObject({ from: latest, to: latest, applied: ["session-records"] })
    expect(plan.statements[0]).toMatch(/^create table .LatchkeySessionRecord./)
    expect((await listTables(kind, opened)).filter(isSessionRecords)).toEqual([])

    expect(await migrate(database, options)).toEqual(plan)

    await adapter.saveSessionRecord(record)
    const unchanged = { from: latest, to: latest, applied: [], statements: [] }
    for (const next of [options, {}]) expect(await migrate(database, next)).toMatchObject(unchanged)
    expect(await adapter.listSessionRecords(user.id)).toEqual([record])
  })

  test("are created in a database of the first version", async () => {
    const opened = await kind.open()
    const store = createTestStore(opened.database)
    await runMigrations(store, { adopt: false, dryRun: false }, migrations.slice(0, 1))
    const report = await migrate(opened.database, options)
    expect(report).toMatchObject({ from: 1, to: latest })
    expect(report.applied.at(-1)).toBe("session-records")
    const adapter = createAdapter(kind, opened, options)
    await adapter.saveSessionRecord(buildRecord())
    expect(await adapter.getSessionRecord("record-1")).toEqual(buildRecord())
  })

  test("are created once by concurrent callers", async () => {
    const { database } = await kind.open()
    await migrate(database)
    const reports = await Promise.all([1, 2, 3].map(() => migrate(database, options)))
    expect(reports.flatMap(({ applied }) => applied)).toEqual(["session-records"])
  })

  test("do not replace an application's table of the same name, unless it is told another one", async () => {
    const opened = await kind.open()
    const { database, query } = opened
    await query('create table "LatchkeySessionChange" (song int)')
    for (const adopt of [false, true]) {
      const refused = migrate(database, { ...options, adopt })
      await expect(refused).rejects.toMatchObject({ code: "name-taken" })
    }
    expect((await listTables(kind, opened)).filter(isSessionRecords)).toEqual([tables[0]])
    const names = { LatchkeySessionChange: "session_change" }
    expect(await migrate(database, { ...options, names })).toMatchObject({
      from: latest,
      applied: ["session-records"],
    })
  })

  test("may have other names, and columns, too", async () => {
    const opened = await kind.open()
    const names = {
      LatchkeySessionRecord: {
        table: "session_record",
        columns: {
          ...{ id: "record_id", userId: "owner", lastSeenAt: "seen" },
          ...{ providerSession: "sid", providerSubject: "sub" },
        },
      },
      LatchkeySessionChange: { table: "session_change", columns: { key: "what", changedAt: "at" } },
    }
    const adapter = createAdapter(kind, opened, { ...options, migrate: true, names })
    const user = await adapter.createUser(newUser())
    const record = buildRecord({ userId: user.id })
    await adapter.saveSessionRecord(record)
    expect(await adapter.updateSessionRecord({ id: record.id, details: "[]" })).toBe(true)
    for (const key of [{ providerSession: "session-1" }, { providerSubject: "subject-1" }])
      expect(await adapter.findSessionRecords(key)).toEqual([{ ...record, details: "[]" }])
    const { expires, details } = record
    const change = { key: "all", changedAt: new Date("2026-02-01"), expires, details }
    for (const each of [change, { ...change, changedAt: new Date("2026-01-01") }])
      await adapter.saveSessionChange(each)
    expect(await adapter.listSessionChanges(change.changedAt)).toEqual([change])
    expect(
      await opened.query("select sid, sub from session_record where owner = ?", user.id),
    ).toEqual([{ sid: "session-1", sub: "subject-1" }])
    await adapter.deleteUser(user.id)
    expect(await readTable(opened, "session_record")).toEqual([])
    expect(await adapter.deleteExpired(new Date("2200-01-01"), 10)).toBe(1)
  })

  test("are the same as those of the plain SQL", async () => {
    const opened = await kind.open()
    for (const statement of migrationSql(kind.dialect, options).split(";\n").filter(Boolean)) {
      // Otherwise one connection of the pool might begin a transaction and another one commit.
      if (!/^(begin|commit)$/.test(statement)) await opened.query(statement)
    }
    expect(await migrate(opened.database, options)).toMatchObject({ from: latest, statements: [] })
    await createAdapter(kind, opened, options).saveSessionRecord(buildRecord())
  })

  test("lose expired rows when records are stored, at the interval of the option", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, {
      ...options,
      migrate: true,
      sweepInterval: 0.0001,
    })
    const expires = new Date("2026-01-03")
    const { details, createdAt: changedAt } = buildRecord()
    await adapter.saveSessionChange({ key: "old", changedAt, expires, details })
    await adapter.saveSessionRecord(buildRecord({ expires, id: "old" }))
    await adapter.saveSessionRecord(buildRecord())
    await vi.waitFor(async () => {
      expect(await readTable(opened, "LatchkeySessionRecord")).toHaveLength(1)
      expect(await readTable(opened, "LatchkeySessionChange")).toEqual([])
    }, 10_000)
  })

  test("keep no text that is too long for a key, and find nothing by it", async () => {
    const adapter = createAdapter(kind, await kind.open(), { ...options, migrate: true })
    const long = "x".repeat(300)
    for (const field of ["id", "userId", "providerSession", "providerSubject"] as const) {
      const refused = adapter.saveSessionRecord(buildRecord({ [field]: long }))
      await expect(refused).rejects.toThrow(`LatchkeySessionRecord.${field}`)
    }
    expect(await adapter.getSessionRecord(long)).toBeNull()
    expect(await adapter.listSessionRecords(long)).toEqual([])
    expect(await adapter.findSessionRecords({ providerSession: long })).toEqual([])
    expect(await adapter.findSessionRecords({ providerSubject: long })).toEqual([])
    expect(await adapter.updateSessionRecord({ id: long, details: "[]" })).toBe(false)
    expect(await adapter.deleteSessionRecord(long)).toBe(false)
  })
})

test.each(databaseKindsWithKysely)(
  "users whose ids the application makes may have records with ids of the database, on $name",
  async (kind) => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { ...options, migrate: true, ids: "database" })
    const { id } = await adapter.createUser(newUser())
    await adapter.saveSessionRecord(buildRecord({ userId: id }))
    await adapter.saveSessionRecord(buildRecord({ id: "record-2", userId: "employee 7" }))
    expect(await adapter.listSessionRecords(id)).toHaveLength(1)
    await adapter.deleteUser(id)
    expect(await adapter.listSessionRecords(id)).toEqual([])
    expect(await adapter.listSessionRecords("employee 7")).toHaveLength(1)
  },
)

test.each(databaseKinds.filter(({ dialect }) => dialect === "mysql"))(
  "an interrupted step is continued, on $name",
  async (kind) => {
    const opened = await kind.open()
    await migrate(opened.database, options)
    await opened.query('drop table "LatchkeySessionChange"')
    await opened.query('update "LatchkeyMigration" set "appliedAt" = null where version = -1')
    expect(await migrate(opened.database, options)).toMatchObject({ applied: ["session-records"] })
    expect(await migrate(opened.database, options)).toMatchObject({ applied: [] })
    expect(await createAdapter(kind, opened, options).listSessionChanges(new Date(0))).toEqual([])
  },
)

const sharedKinds = databaseKinds.filter(
  ({ name }) => !["SQLite", "SQLite without RETURNING", "PGlite"].includes(name),
)

test.each(sharedKinds)("six processes create the tables once, on $name", async (kind) => {
  const { address = "" } = await kind.open()
  const reports = await runInWorkers(address, "migrateSessionRecords", 6)
  const applied = (reports as MigrationReport[]).flatMap((report) => report.applied)
  expect(applied).toHaveLength(latest + 1)
  expect(applied).toContain("session-records")
})
