import { inspect } from "node:util"
import type { LeaseStore } from "@latchkey/core/adapters"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { createPool } from "mysql2/promise"
import { Pool } from "pg"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { mariadbUrl, postgresUrl } from "./support/connections.ts"
import { createAdapter, readTable } from "./support/database-kinds/database-kind.ts"
import { mariadbKinds } from "./support/database-kinds/mariadb.ts"
import { postgresServer } from "./support/database-kinds/postgres.ts"
import { databaseKinds, databaseKindsWithKysely } from "./support/database-kinds.ts"
import { createRecordingAdapter } from "./support/recording-adapter.ts"
import { runInWorkers } from "./support/worker-processes.ts"

const lifetime = 60_000
const mine = { key: "k", holder: "mine", lifetime }
const theirs = { ...mine, holder: "theirs" }
const [granted, held] = [{ state: "granted" }, { state: "held" }]
const completed = { state: "completed", result: "done" }

describe.each(databaseKindsWithKysely)("a lease, on $name", (kind) => {
  afterEach(() => void vi.useRealTimers())

  /** Creates an adapter, and freezes the clock. */
  async function createLeaseFixture() {
    const opened = await kind.open()
    await migrate(opened.database)
    vi.useFakeTimers({ toFake: ["Date"] })
    return { adapter: createAdapter(kind, opened), begin: Date.now() }
  }

  test("expires to the millisecond by the clock of the process, completed or not", async () => {
    const { adapter, begin } = await createLeaseFixture()
    expect(await adapter.acquireLease(mine)).toEqual(granted)
    vi.setSystemTime(begin + lifetime - 1)
    expect(await adapter.acquireLease(theirs)).toEqual(held)
    vi.setSystemTime(begin + lifetime)
    expect(await adapter.acquireLease(theirs)).toEqual(granted)
    expect(await adapter.completeLease({ ...mine, result: "late" })).toBe(false)
    expect(await adapter.completeLease({ ...theirs, result: "done" })).toBe(true)
    vi.setSystemTime(begin + lifetime * 2 - 1)
    expect(await adapter.acquireLease(mine)).toEqual(completed)
    vi.setSystemTime(begin + lifetime * 2)
    expect(await adapter.acquireLease(mine)).toEqual(granted)
    // The earlier result is gone.
    expect(await adapter.acquireLease(theirs)).toEqual(held)
  })

  test("can be acquired, completed and released repeatedly by its holder", async () => {
    const { adapter, begin } = await createLeaseFixture()
    // MySQL does not count a row that is written again with the same values.
    for (const _ of [1, 2]) expect(await adapter.acquireLease(mine)).toEqual(granted)
    vi.setSystemTime(begin + lifetime - 1)
    expect(await adapter.acquireLease(mine)).toEqual(granted)
    vi.setSystemTime(begin + lifetime * 2 - 2)
    expect(await adapter.acquireLease(theirs)).toEqual(held)
    for (const _ of [1, 2]) await adapter.releaseLease(mine)
    expect(await adapter.acquireLease(theirs)).toEqual(granted)
    for (const _ of [1, 2]) {
      expect(await adapter.completeLease({ ...theirs, result: "done" })).toBe(true)
    }
    expect(await adapter.acquireLease(theirs)).toEqual(completed)
  })

  test("cannot be completed after it expired", async () => {
    const { adapter, begin } = await createLeaseFixture()
    for (const key of ["a", "b"]) await adapter.acquireLease({ ...mine, key })
    vi.setSystemTime(begin + lifetime - 1)
    expect(await adapter.completeLease({ ...mine, key: "a", result: "done" })).toBe(true)
    vi.setSystemTime(begin + lifetime)
    expect(await adapter.completeLease({ ...mine, key: "b", result: "done" })).toBe(false)
    expect(await adapter.acquireLease({ ...theirs, key: "a" })).toEqual(completed)
    expect(await adapter.acquireLease({ ...theirs, key: "b" })).toEqual(granted)
  })
})

describe.each(databaseKinds)("the methods for leases, on $name", (kind) => {
  test("wait with one statement that only reads", async () => {
    const opened = await kind.open()
    await migrate(opened.database)
    const { adapter, statements } = createRecordingAdapter(opened)
    const statementsDuring = async (work: () => unknown) => {
      statements.length = 0
      await work()
      return statements.map(({ sql }) => sql.slice(0, 6))
    }
    const expired = { ...mine, lifetime: -1 }
    expect(await statementsDuring(() => adapter.acquireLease(expired))).toEqual([
      "select",
      "insert",
    ])
    expect(await statementsDuring(() => adapter.acquireLease(mine))).toEqual(["select", "update"])
    expect(await statementsDuring(() => adapter.acquireLease(theirs))).toEqual(["select"])
    expect(await statementsDuring(() => adapter.completeLease({ ...mine, result: "x" }))).toEqual([
      "update",
    ])
    expect(await statementsDuring(() => adapter.acquireLease(theirs))).toEqual(["select"])
    expect(await statementsDuring(() => adapter.releaseLease(mine))).toEqual(["delete"])
  })

  test("refuse text that is too long, and find nothing by it", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    const [key, holder] = ["k".repeat(256), "h".repeat(256)]
    await expect(adapter.acquireLease({ ...mine, key })).rejects.toThrow(
      "LatchkeyLease.key must be text of 255 characters at most",
    )
    await expect(adapter.acquireLease({ ...mine, holder })).rejects.toThrow("LatchkeyLease.holder")
    await expect(adapter.acquireLease({ ...mine, lifetime: Number.NaN })).rejects.toThrow(
      "LatchkeyLease.expires must be a valid Date",
    )
    await adapter.acquireLease({ ...mine, key: key.slice(1) })
    expect(await adapter.completeLease({ ...mine, key, result: "x" })).toBe(false)
    await adapter.releaseLease({ ...mine, key })
    expect(await readTable(opened, "LatchkeyLease")).toHaveLength(1)
    const lone = adapter.completeLease({ ...mine, result: "\uD800 secret" })
    await expect(lone).rejects.toThrow(/^LatchkeyLease.result must be well-formed text[^\uD800]*$/)
  })

  test("include neither holder nor result in errors", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    const lease = { ...mine, holder: "confidential holder" }
    await adapter.acquireLease(lease)
    await opened.query(refusals[kind.dialect])
    const refused = await errorOf(() =>
      adapter.completeLease({ ...lease, result: "confidential result" }),
    )
    expect(refused).toMatchObject({ code: "failed", operation: "completeLease" })
    await opened.query('drop table "LatchkeyLease"')
    const errors = [
      refused,
      await errorOf(() => adapter.acquireLease(lease)),
      await errorOf(() => adapter.completeLease({ ...lease, result: "confidential result" })),
      await errorOf(() => adapter.releaseLease(lease)),
    ]
    expect(errors.slice(1)).toMatchObject(
      ["acquireLease", "completeLease", "releaseLease"].map((operation) => ({
        code: "unmigrated",
        operation,
      })),
    )
    const written = inspect(errors, { depth: 9, showHidden: true })
    expect(written).not.toContain("confidential")
  })
})

/** Statements that make the database refuse long results, with an error that may quote the row. */
const refusals = {
  mysql: 'alter table "LatchkeyLease" add constraint short check (length(result) < 5)',
  postgres: 'alter table "LatchkeyLease" add constraint short check (length(result) < 5)',
  sqlite:
    'create trigger short before update on "LatchkeyLease" when length(new.result) > 4' +
    " begin select raise(abort, 'refused'); end",
} as const

async function errorOf(work: () => unknown): Promise<unknown> {
  const [outcome] = await Promise.allSettled([(async () => work())()])
  return outcome.status === "rejected" ? outcome.reason : undefined
}

describe.each(databaseKinds)("expired leases, on $name", (kind) => {
  async function createFilledDatabase(sweepInterval?: number) {
    const opened = await kind.open()
    const options = sweepInterval === undefined ? {} : { sweepInterval }
    const adapter = createAdapter(kind, opened, { migrate: true, ...options })
    for (const [key, lifetime] of Object.entries({
      old: -3_600_000,
      recent: -1000,
      live: 60_000,
    })) {
      await adapter.acquireLease({ key, holder: "h", lifetime })
    }
    const readKeys = async () => {
      const rows = await readTable(opened, "LatchkeyLease")
      return rows.map(({ key }) => String(key)).filter((key) => !key.startsWith("new"))
    }
    return { adapter, readKeys }
  }

  async function acquireManyLeases(adapter: LeaseStore): Promise<void> {
    for (let index = 0; index < 60; index += 1) {
      await adapter.acquireLease({ ...mine, key: `new ${index}` })
    }
  }

  test("are deleted and counted by `deleteExpired`", async () => {
    const { adapter, readKeys } = await createFilledDatabase()
    expect(await adapter.deleteExpired(new Date(), 1)).toBe(1)
    expect((await readKeys()).toSorted()).toEqual(["live", "recent"])
    expect(await adapter.deleteExpired(new Date(), 5)).toBe(1)
    expect(await adapter.deleteExpired(new Date(), 5)).toBe(0)
    expect(await readKeys()).toEqual(["live"])
  })

  test("are deleted as new ones are acquired, unless `sweepInterval` is 0", async () => {
    const { adapter, readKeys } = await createFilledDatabase()
    await acquireManyLeases(adapter)
    await vi.waitFor(
      async () => expect((await readKeys()).toSorted()).toEqual(["live", "recent"]),
      10_000,
    )
    const kept = await createFilledDatabase(0)
    await acquireManyLeases(kept.adapter)
    expect(await kept.readKeys()).toHaveLength(3)
  })
})

describe.each(databaseKinds)("concurrently, on $name", (kind) => {
  test("one of 64 callers acquires a new or expired lease, and the others get `held`", async () => {
    const opened = await kind.open()
    const adapters = [createAdapter(kind, opened, { migrate: true })]
    const secondDatabase = opened.reconnect?.()
    if (secondDatabase) {
      adapters.push(createAdapter(kind, { ...opened, database: secondDatabase }))
    }
    await adapters[0]?.acquireLease({ ...mine, key: "expired", lifetime: -1 })
    for (const key of ["new", "expired"]) {
      const requests = Array.from({ length: 64 }, (_, index) =>
        adapters[index % adapters.length]?.acquireLease({ key, holder: `h${index}`, lifetime }),
      )
      const responses = await Promise.all(requests)
      expect(responses.filter((response) => response?.state === "granted")).toHaveLength(1)
      expect(responses.filter((response) => response?.state === "held")).toHaveLength(63)
    }
  })
})

const sharedKinds = databaseKinds.filter(({ name }) =>
  ["MariaDB", "PostgreSQL", "SQLite in a file"].includes(name),
)

test.each(sharedKinds)("four processes run each of 40 tasks once, on $name", async (kind) => {
  const { address = "", database } = await kind.open()
  await migrate(database)
  const done = (await runInWorkers(address, "acquireLeases", 4)) as string[][]
  const all = Array.from({ length: 40 }, (_, index) => `task ${index}`)
  expect(done.flat().toSorted()).toEqual(all.toSorted())
})

test.each(mariadbKinds)("a driver that counts only changed rows, on $name", async (kind) => {
  const { schema } = (await kind.open()) as unknown as { schema: string }
  const pool = createPool({ uri: mariadbUrl, database: schema, flags: ["-FOUND_ROWS"] })
  onTestFinished(() => pool.end())
  await migrate(pool)
  vi.useFakeTimers({ toFake: ["Date"] })
  onTestFinished(() => void vi.useRealTimers())
  const adapter = SqlAdapter(pool)
  for (const _ of [1, 2]) expect(await adapter.acquireLease(mine)).toEqual(granted)
  expect(await adapter.completeLease({ ...theirs, result: "x" })).toBe(false)
  for (const _ of [1, 2]) expect(await adapter.completeLease({ ...mine, result: "x" })).toBe(true)
})

test.each(postgresServer)("serializable transactions on $name", async (kind) => {
  const { schema } = (await kind.open()) as unknown as { schema: string }
  const pool = new Pool({
    connectionString: postgresUrl,
    options: `-c search_path=${schema} -c default_transaction_isolation=serializable`,
  })
  onTestFinished(() => pool.end())
  const adapter = SqlAdapter(pool, { migrate: true })
  await adapter.acquireLease({ ...mine, lifetime: -1 })
  const requests = Array.from({ length: 32 }, (_, index) =>
    adapter.acquireLease({ ...mine, holder: `h${index}` }),
  )
  const responses = await Promise.all(requests)
  expect(responses.filter(({ state }) => state === "granted")).toHaveLength(1)
})
