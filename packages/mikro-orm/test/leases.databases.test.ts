import { defineEntities, MikroOrmAdapter, MikroOrmError } from "@latchkey/mikro-orm"
import { p } from "@mikro-orm/core"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { databaseKinds, type TestDatabase } from "./support/database-kinds.ts"
import { newSession, newUser } from "./support/test-records.ts"

const lifetime = 60_000
const [granted, held] = [{ state: "granted" }, { state: "held" }]
let last = 0

/** Two holders of the same new lease. */
function createContenders() {
  last += 1
  const mine = { key: `work ${last}`, holder: "mine", lifetime }
  return [mine, { ...mine, holder: "theirs" }] as const
}

async function errorOf(work: () => unknown): Promise<unknown> {
  const [outcome] = await Promise.allSettled([(async () => work())()])
  return outcome.status === "rejected" ? outcome.reason : undefined
}

describe.each(databaseKinds)("leases, on $name", (kind) => {
  if (kind.unavailableReason !== undefined)
    return test.skip(`no ${kind.name}: ${kind.unavailableReason}`)
  const entities = defineEntities({
    LatchkeyLease: { tableName: "lease", properties: { note: p.string().default("none") } },
  })
  let database: TestDatabase
  let adapter: ReturnType<typeof MikroOrmAdapter>

  beforeAll(async () => {
    database = await kind.create(entities)
    adapter = MikroOrmAdapter(database.orm)
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(() => database[Symbol.asyncDispose]())

  const rows = () =>
    database.orm.em.fork().find(entities.LatchkeyLease, {}, { orderBy: { key: 1 } })

  test("expire to the millisecond by the clock of the process", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const [mine, theirs] = createContenders()
    const begin = Date.now()
    for (const _ of [1, 2]) expect(await adapter.acquireLease(mine)).toEqual(granted)
    vi.setSystemTime(begin + lifetime - 1)
    expect(await adapter.acquireLease(theirs)).toEqual(held)
    vi.setSystemTime(begin + lifetime)
    expect(await adapter.completeLease({ ...mine, result: "late" })).toBe(false)
    expect(await adapter.acquireLease(theirs)).toEqual(granted)
    const done = { ...theirs, result: "done" }
    for (const _ of [1, 2]) expect(await adapter.completeLease(done)).toBe(true)
    expect(await adapter.acquireLease(mine)).toEqual({ state: "completed", result: "done" })
    vi.setSystemTime(begin + lifetime * 2)
    expect(await adapter.acquireLease(mine)).toEqual(granted)
    expect(await adapter.acquireLease(theirs)).toEqual(held)
  })

  test("are awaited with one statement that only reads, without a transaction", async () => {
    const [mine, theirs] = createContenders()
    const statementsDuring = async (work: () => unknown) => {
      database.queries.length = 0
      await work()
      return database.queries.map((line) => /\] (\w+)/.exec(line)?.[1])
    }
    expect(await statementsDuring(() => adapter.acquireLease(mine))).toEqual(["select", "insert"])
    expect(await statementsDuring(() => adapter.acquireLease(mine))).toEqual(["select", "update"])
    expect(await statementsDuring(() => adapter.acquireLease(theirs))).toEqual(["select"])
    expect(await statementsDuring(() => adapter.completeLease({ ...mine, result: "x" }))).toEqual([
      "update",
    ])
    expect(await statementsDuring(() => adapter.acquireLease(theirs))).toEqual(["select"])
    expect(await statementsDuring(() => adapter.releaseLease(mine))).toEqual(["delete"])
  })

  test("support properties of the application", async () => {
    const [mine] = createContenders()
    await adapter.acquireLease(mine)
    expect(await rows()).toContainEqual(expect.objectContaining({ key: mine.key, note: "none" }))
  })

  test("refuse query conditions as keys and holders", async () => {
    const [mine] = createContenders()
    await adapter.acquireLease(mine)
    const before = JSON.stringify(await rows())
    const any = { $ne: "" } as unknown as string
    await expect(adapter.acquireLease({ ...mine, key: any })).rejects.toThrow(
      "LatchkeyLease.key must be text",
    )
    await expect(adapter.acquireLease({ ...mine, holder: any })).rejects.toThrow("LatchkeyLease.h")
    for (const lease of [
      { ...mine, key: any },
      { ...mine, holder: any },
    ]) {
      expect(await adapter.completeLease({ ...lease, result: "x" })).toBe(false)
      await adapter.releaseLease(lease)
    }
    const object = adapter.completeLease({ ...mine, result: {} as unknown as string })
    await expect(object).rejects.toThrow("LatchkeyLease.result must be text")
    expect(JSON.stringify(await rows())).toBe(before)
  })

  test("are deleted and counted in several batches once expired", async () => {
    const { orm } = database
    await orm.em.fork().nativeDelete(entities.LatchkeyLease, {})
    const over = Array.from({ length: 501 }, (_, index) => ({
      key: `over ${index}`,
      holder: "h",
      expires: new Date(1000),
    }))
    await orm.em.fork().insertMany(entities.LatchkeyLease, over)
    const [mine] = createContenders()
    await adapter.acquireLease(mine)
    expect(await adapter.deleteExpired(new Date(1001), 500)).toBe(500)
    expect(await adapter.deleteExpired(new Date(1001), 10_000)).toBe(1)
    expect(await rows()).toMatchObject([{ key: mine.key }])
  })

  test("include neither holder nor result in errors and in JSON", async () => {
    const [mine] = createContenders()
    const lease = { ...mine, holder: "confidential holder", result: "confidential result" }
    await adapter.acquireLease(lease)
    await adapter.completeLease(lease)
    expect(JSON.stringify(await rows())).not.toContain("confidential")
    const missing = MikroOrmAdapter(await database.reconnect())
    await database.orm.em.fork().getConnection().execute("drop table lease")
    const errors = [
      await errorOf(() => missing.acquireLease(lease)),
      await errorOf(() => missing.completeLease(lease)),
      await errorOf(() => missing.releaseLease(lease)),
    ]
    for (const error of errors) expect(error).toBeInstanceOf(MikroOrmError)
    expect(errors).toMatchObject(
      ["acquireLease", "completeLease", "releaseLease"].map((operation) => ({
        code: "unmigrated",
        operation,
      })),
    )
    const all = errors.map((error) => `${error} ${JSON.stringify(error)}`).join()
    expect(all).not.toContain("confidential")

    // Everything except leases works without the table.
    const { id: userId } = await missing.createUser(newUser())
    await missing.createSession({ ...newSession(userId), expires: new Date(1000) })
    expect(await missing.deleteExpired(new Date(1001), 10)).toBe(1)
    await database.orm.schema.update()
  })
})
