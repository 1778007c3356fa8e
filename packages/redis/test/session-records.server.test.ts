import { inspect } from "node:util"
import type { SessionRecord } from "@latchkey/core/adapters"
import { describe, expect, test, vi } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter, createTestSessions } from "./support/test-adapters.ts"
import { newRecord, newUser, secondsFromNow } from "./support/test-records.ts"

const hour = 3_600_000

/** Returns the keys to find a record by, of its session and its subject at the provider. */
const providerKeys = ({ providerSession, providerSubject }: SessionRecord) => [
  { providerSession: providerSession ?? "" },
  { providerSubject: providerSubject ?? "" },
]

const adapters = [
  {
    name: "RedisAdapter",
    async open(options = {}) {
      const { adapter, prefix, ...fixture } = await createTestAdapter(options)
      return { ...fixture, users: adapter, sessions: adapter, tag: `{${prefix}}` }
    },
  },
  {
    name: "RedisSessions",
    async open(options = {}) {
      const { prefix, ...fixture } = await createTestSessions(options)
      return { ...fixture, tag: prefix }
    },
  },
]

describe.skipIf(!hasRedis).each(adapters)("session records of $name", ({ open }) => {
  test("are one key each, in sets of their user and of the session and the subject at the provider", async () => {
    const { sessions, keys } = await open()
    const record = newRecord({ expires: secondsFromNow(1000) })
    await sessions.saveSessionRecord(record)
    await sessions.saveSessionRecord({ ...record, id: "longer", expires: secondsFromNow(5000) })
    const lives = Object.entries(await keys()).map(([key, left]) => {
      const [name = "", ...rest] = key.split(":").slice(-2)
      return [[name, ...rest].join(":"), Math.round((left - hour) / 100_000)]
    })
    expect(Object.fromEntries(lives)).toEqual({
      [`record:${record.id}`]: 10,
      "record:longer": 50,
      [`records-of:${record.userId}`]: 50,
      [`records-of-provider-session:${record.providerSession}`]: 50,
      [`records-of-provider-subject:${record.providerSubject}`]: 50,
    })
  })

  test("are read with one command, and updated with one unless they are prolonged", async () => {
    const { sessions, commands } = await open()
    const record = newRecord()
    const { id } = record
    await sessions.saveSessionRecord({ ...record, id: "first" })
    await sessions.updateSessionRecord({ id: "first", expires: record.expires })
    expect(await commands(() => sessions.saveSessionRecord(record))).toBe(4)
    expect(await commands(() => sessions.getSessionRecord(id))).toBe(1)
    expect(await commands(() => sessions.updateSessionRecord({ id, lastSeenAt: new Date() }))).toBe(
      1,
    )
    expect(
      await commands(() => sessions.updateSessionRecord({ id, expires: secondsFromNow(9000) })),
    ).toBe(5)
    expect(await commands(() => sessions.listSessionRecords(record.userId))).toBe(3)
  })

  test("leave nothing behind when they are deleted", async () => {
    const { sessions, keys } = await open()
    const record = newRecord()
    for (const id of ["one", "two"]) await sessions.saveSessionRecord({ ...record, id })
    for (const id of ["one", "two"]) expect(await sessions.deleteSessionRecord(id)).toBe(true)
    expect(await keys()).toEqual({})
  })

  test("are deleted with their user", async () => {
    const { sessions, users, keys } = await open()
    const user = await users.createUser(newUser())
    for (const id of ["one", "two"])
      await sessions.saveSessionRecord(newRecord({ id, userId: user.id }))
    const kept = newRecord()
    await sessions.saveSessionRecord(kept)
    expect(await sessions.deleteUser?.(user.id)).toEqual(user)
    expect(Object.keys(await keys()).filter((key) => key.includes(":record:"))).toHaveLength(1)
    expect(await sessions.getSessionRecord(kept.id)).toEqual(kept)
  })

  test("stay listed as long as they exist, whatever they were prolonged from", async () => {
    const { sessions, keys } = await open()
    const record = newRecord({ expires: secondsFromNow(10) })
    const { id, userId } = record
    await sessions.saveSessionRecord(record)
    for (const seconds of [5000, 100]) {
      const expires = secondsFromNow(seconds)
      expect(await sessions.updateSessionRecord({ id, expires })).toBe(true)
      expect(await sessions.listSessionRecords(userId)).toEqual([{ ...record, expires }])
      const lives = Object.entries(await keys())
      const lifeOf = (name: string) => lives.find(([key]) => key.includes(`:${name}:`))?.[1] ?? 0
      expect(Math.abs(lifeOf("record") - hour - seconds * 1000)).toBeLessThan(5000)
      expect(Math.abs(lifeOf("records-of") - hour - 5_000_000)).toBeLessThan(5000)
    }
  })

  test("leave the sets of the user and of the provider's session and subject once they have expired", async () => {
    const { sessions, rows, tag } = await open({ keepExpired: 100 })
    const record = newRecord()
    const { userId, providerSession, providerSubject } = record
    const readSets = async () => [
      await rows.membersOf(`${tag}:records-of:${userId}`),
      await rows.membersOf(`${tag}:records-of-provider-session:${providerSession}`),
      await rows.membersOf(`${tag}:records-of-provider-subject:${providerSubject}`),
    ]
    await sessions.saveSessionRecord(record)
    for (const id of ["a", "b"])
      await sessions.saveSessionRecord({ ...record, id, expires: secondsFromNow(1) })
    const all = ["a", "b", record.id]
    expect(await readSets()).toEqual([all, all, all])
    await vi.waitFor(
      async () => {
        await sessions.saveSessionRecord(record)
        expect(await readSets()).toEqual([[record.id], [record.id], [record.id]])
      },
      { timeout: 8000, interval: 50 },
    )
  })

  test("move to another user, session and subject at the provider when they are replaced", async () => {
    const { sessions } = await open()
    const record = newRecord()
    const provider = { providerSession: "new session", providerSubject: "new subject" }
    const moved = { ...record, ...provider, userId: "another", details: '"new"' }
    for (const each of [record, moved]) await sessions.saveSessionRecord(each)
    expect(await sessions.listSessionRecords(record.userId)).toEqual([])
    for (const key of providerKeys(record))
      expect(await sessions.findSessionRecords(key)).toEqual([])
    expect(await sessions.listSessionRecords("another")).toEqual([moved])
    for (const key of providerKeys(moved))
      expect(await sessions.findSessionRecords(key)).toEqual([moved])
  })

  test("are refused as other types, and errors contain no values", async () => {
    const { sessions, keys } = await open()
    const record = newRecord()
    const broken: readonly (readonly [keyof SessionRecord, unknown])[] = [
      ["id", "s3cr3t \uD800"],
      ["userId", { name: "s3cr3t" }],
      ["details", "s3cr3t \uD800"],
      ["expires", new Date(Number.NaN)],
      ["lastSeenAt", "s3cr3t"],
      ["providerSession", ["s3cr3t"]],
      ["providerSubject", ["s3cr3t"]],
    ]
    for (const [field, value] of broken) {
      const error: unknown = await (async () =>
        sessions.saveSessionRecord({ ...record, [field]: value }))().catch((each: unknown) => each)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain(`SessionRecord.${field}`)
      expect(inspect(error)).not.toContain("s3cr3t")
    }
    expect(await sessions.getSessionRecord("\uD800")).toBeNull()
    expect(await sessions.deleteSessionRecord("\uD800")).toBe(false)
    expect(await keys()).toEqual({})
  })
})

describe.skipIf(!hasRedis)("when the connection breaks", () => {
  test.each([0, 1, 2, 3, 4])(
    "after %i commands, no record is stored but unlisted",
    async (commands) => {
      const { sessions, breakAfter, mend } = await createTestSessions()
      const record = newRecord()
      breakAfter(commands)
      await Promise.allSettled([sessions.saveSessionRecord(record)])
      mend()
      const stored = await sessions.getSessionRecord(record.id)
      const expected = stored ? [record] : []
      expect(await sessions.listSessionRecords(record.userId)).toEqual(expected)
      for (const key of providerKeys(record))
        expect(await sessions.findSessionRecords(key)).toEqual(expected)
      await sessions.saveSessionRecord(record)
      expect(await sessions.listSessionRecords(record.userId)).toEqual([record])
    },
  )

  test("after the first command, a deleted record is deleted", async () => {
    const { sessions, breakAfter, mend } = await createTestSessions()
    const record = newRecord()
    await sessions.saveSessionRecord(record)
    breakAfter(1)
    expect(await sessions.deleteSessionRecord(record.id)).toBe(true)
    mend()
    expect(await sessions.listSessionRecords(record.userId)).toEqual([])
  })
})
