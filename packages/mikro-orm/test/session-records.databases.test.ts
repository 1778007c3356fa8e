import type { SessionRecordStore } from "@latchkey/core/adapters"
import { defineEntities, MikroOrmAdapter, MikroOrmError } from "@latchkey/mikro-orm"
import { p } from "@mikro-orm/core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { databaseKinds, type TestDatabase } from "./support/database-kinds.ts"
import { newChange, newRecord, newUser } from "./support/test-records.ts"

type Records = Omit<SessionRecordStore, "watchSessionChanges">

describe.each(databaseKinds)("session records, on $name", (kind) => {
  if (kind.unavailableReason !== undefined)
    return test.skip(`no ${kind.name}: ${kind.unavailableReason}`)
  const entities = defineEntities(
    {
      LatchkeySessionRecord: {
        tableName: "member_session",
        properties: { note: p.string().default("none") },
      },
    },
    { sessionRecords: true },
  )
  let database: TestDatabase
  let adapter: ReturnType<typeof MikroOrmAdapter> & Records

  beforeAll(async () => {
    database = await kind.create(entities)
    adapter = toRecordAdapter(database.orm)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  /** Checks that the adapter has the methods, which its type does not promise. */
  function toRecordAdapter(orm: TestDatabase["orm"]) {
    const created = MikroOrmAdapter(orm)
    expect(created).toHaveProperty("saveSessionRecord")
    return created as typeof created & Records
  }

  const statementsDuring = async (work: () => unknown) => {
    database.queries.length = 0
    await work()
    return database.queries.map((line) => /\] (\w+)/.exec(line)?.[1])
  }

  test("have a complete schema, with properties of the application", async () => {
    expect(await database.orm.schema.getUpdateSchemaSQL()).toBe("")
    const record = newRecord()
    await adapter.saveSessionRecord(record)
    const em = database.orm.em.fork()
    const stored = await em.findOneOrFail(entities.LatchkeySessionRecord, record.id)
    expect(stored).toMatchObject({ ...record, note: "none" })
    stored.note = "kept"
    await em.flush()
    const withoutProvider = { providerSession: null, providerSubject: null }
    await adapter.saveSessionRecord({ ...record, ...withoutProvider, details: "{}" })
    expect(await em.fork().findOneOrFail(entities.LatchkeySessionRecord, record.id)).toMatchObject({
      ...withoutProvider,
      details: "{}",
      note: "kept",
    })
  })

  test("need one statement each", async () => {
    const record = newRecord()
    const { id, expires } = record
    // MikroORM reads the application's property back, on MariaDB with another statement.
    const saved = kind.name === "MariaDB" ? ["insert", "select"] : ["insert"]
    for (const _ of [1, 2])
      expect(await statementsDuring(() => adapter.saveSessionRecord(record))).toEqual(saved)
    expect(await statementsDuring(() => adapter.getSessionRecord(id))).toEqual(["select"])
    const update = () => adapter.updateSessionRecord({ id, expires })
    expect(await statementsDuring(update)).toEqual(["update"])
    expect(await adapter.updateSessionRecord({ id })).toBe(true)
    expect(await adapter.updateSessionRecord({ id: "unknown" })).toBe(false)
    expect(await statementsDuring(() => adapter.deleteSessionRecord(id))).toEqual(["delete"])
    const change = newChange()
    expect(await statementsDuring(() => adapter.saveSessionChange(change))).toEqual(["insert"])
    const replace = () => adapter.saveSessionChange({ ...change, details: "[]" })
    expect(await statementsDuring(replace)).toEqual(["insert", "update"])
    const list = () => adapter.listSessionChanges(change.changedAt)
    expect(await statementsDuring(list)).toEqual(["select"])
    expect(await list()).toContainEqual({ ...change, details: "[]" })
  })

  test("are deleted together with their user, or not at all", async () => {
    const user = await adapter.createUser(newUser())
    const record = newRecord({ userId: user.id })
    await adapter.saveSessionRecord(record)
    expect(await adapter.deleteUser("nobody")).toBeNull()
    expect(await adapter.getSessionRecord(record.id)).toEqual(record)
    expect(await adapter.deleteUser(user.id)).toEqual(user)
    expect(await adapter.getSessionRecord(record.id)).toBeNull()
  })

  test("are refused if they would not be stored unchanged", async () => {
    const save = async (changes: object) =>
      adapter.saveSessionRecord({ ...newRecord(), ...changes })
    for (const field of ["id", "providerSession", "providerSubject"]) {
      await expect(save({ [field]: "x".repeat(65) })).rejects.toThrow("64 characters")
      await expect(save({ [field]: "\uD800" })).rejects.toThrow(field)
    }
    await expect(save({ userId: { $ne: "" } })).rejects.toThrow("userId must be text")
    await expect(save({ expires: new Date(Number.NaN) })).rejects.toThrow("valid Date")
    const change = { ...newChange(), key: "x".repeat(81) }
    await expect((async () => adapter.saveSessionChange(change))()).rejects.toThrow("80 characters")
  })

  test("refuse query conditions as keys", async () => {
    const record = newRecord()
    await adapter.saveSessionRecord(record)
    const any = { $ne: "" } as unknown as string
    expect(await adapter.getSessionRecord(any)).toBeNull()
    expect(await adapter.listSessionRecords(any)).toEqual([])
    expect(await adapter.findSessionRecords({ providerSession: any })).toEqual([])
    expect(await adapter.findSessionRecords({ providerSubject: any })).toEqual([])
    expect(await adapter.updateSessionRecord({ id: any, details: "[]" })).toBe(false)
    expect(await adapter.deleteSessionRecord(any)).toBe(false)
    expect(await adapter.getSessionRecord(record.id)).toEqual(record)
    const withOtherMember = { providerSession: record.providerSession ?? "", userId: "another" }
    expect(await adapter.findSessionRecords(withOtherMember)).toEqual([record])
  })

  test("are deleted in several batches once expired", async () => {
    await adapter.deleteExpired(new Date(1001), 10_000)
    const expires = new Date(1000)
    const em = database.orm.em.fork()
    const [record, change] = [newRecord({ expires }), newChange({ expires })]
    const ids = Array.from({ length: 501 }, (_, index) => `old ${index}`)
    await em.insertMany(
      entities.LatchkeySessionRecord,
      ids.map((id) => ({ ...record, id, note: "old" })),
    )
    await em.insertMany(
      entities.LatchkeySessionChange,
      ids.map((key) => ({ ...change, key })),
    )
    expect(await adapter.deleteExpired(new Date(1001), 501)).toBe(1002)
    expect(await adapter.deleteExpired(new Date(1001), 501)).toBe(0)
  })

  test("reject with a code and no values without their tables", async () => {
    const unmigrated = toRecordAdapter(await database.reconnect())
    await database.orm.em.fork().getConnection().execute("drop table member_session")
    const record = newRecord()
    for (const work of [
      () => unmigrated.saveSessionRecord(record),
      () => unmigrated.listSessionRecords(record.userId),
      () => unmigrated.deleteExpired(new Date(0), 1),
    ]) {
      const error: unknown = await (async () => work())().catch((each: unknown) => each)
      expect(error).toBeInstanceOf(MikroOrmError)
      expect(error).toMatchObject({ code: "unmigrated" })
      expect(`${error} ${JSON.stringify(error)}`).not.toContain(record.userId)
    }
    await database.orm.schema.update()
  })
})
