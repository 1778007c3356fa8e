import { describe, expect, test, vi } from "vitest"
import { createAdapter, readTable } from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { newUser } from "./support/test-records.ts"

const day = 86_400_000
const now = Math.floor(Date.now() / 1000) * 1000
const ago = (days: number) => new Date(now - days * day)

describe.each(databaseKinds)("expired rows, on $name", (kind) => {
  async function createFilledDatabase(options = {}) {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true, ...options })
    const { id: userId } = await adapter.createUser(newUser())
    for (const days of [5, 4, 3, 2, -1]) {
      const expires = ago(days)
      await adapter.createSession({ sessionToken: `session ${days}`, userId, expires })
      await adapter.createVerificationToken({ identifier: "a", token: `token ${days}`, expires })
    }
    const left = async (table: string) => (await readTable(opened, table)).length
    return { adapter, left, userId }
  }

  test("are deleted in batches, the oldest first", async () => {
    const { adapter, left } = await createFilledDatabase()
    expect(await adapter.deleteExpired(ago(0), 3)).toBe(6)
    expect(await adapter.getSessionAndUser("session 3")).toBeNull()
    expect(await adapter.getSessionAndUser("session 2")).not.toBeNull()
    expect(await adapter.deleteExpired(ago(0), 3)).toBe(2)
    expect(await adapter.deleteExpired(ago(0), 3)).toBe(0)
    expect([await left("Session"), await left("VerificationToken")]).toEqual([1, 1])
  })

  test("are deleted by concurrent batches, and other rows stay", async () => {
    const { adapter, left } = await createFilledDatabase()
    const sweeps = Array.from({ length: 8 }, () => adapter.deleteExpired(ago(0), 2))
    const counts = await Promise.all(sweeps)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8)
    while ((await adapter.deleteExpired(ago(0), 2)) > 0);
    expect([await left("Session"), await left("VerificationToken")]).toEqual([1, 1])
  })

  test("stay if they are renewed while the sweep waits for their lock", async () => {
    const opened = await kind.open()
    const { database } = opened
    if (!("connect" in database) || !("totalCount" in database)) return
    const adapter = createAdapter(kind, opened, { migrate: true })
    const { id: userId } = await adapter.createUser(newUser())
    await adapter.createSession({ sessionToken: "t", userId, expires: ago(2) })
    const other = await database.connect()
    await other.query("begin", [])
    await other.query('update "Session" set expires = $1', [ago(-1)])
    const sweep = adapter.deleteExpired(ago(0), 10)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await other.query("commit", [])
    other.release()
    expect(await sweep).toBe(0)
    expect(await adapter.getSessionAndUser("t")).toMatchObject({ session: { expires: ago(-1) } })
  })

  test("are deleted at sign-ins, at the interval of the option", async () => {
    const { left } = await createFilledDatabase({ sweepInterval: 0.0001 })
    await vi.waitFor(async () => {
      expect([await left("Session"), await left("VerificationToken")]).toEqual([1, 1])
    }, 10_000)
    for (const options of [{}, { sweepInterval: 0 }, { sweepInterval: 60 }]) {
      const kept = await createFilledDatabase(options)
      expect(await kept.left("Session")).toBe(5)
    }
  })

  test("an invalid limit is refused", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(adapter.deleteExpired(ago(0), limit)).rejects.toThrow("`limit`")
    }
  })
})

describe.each(databaseKinds)("the sessions of a user, on $name", (kind) => {
  test("are listed without expired ones, and can be deleted except one", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    for (const [sessionToken, { id: userId }, days] of [
      ["a1", ada, -1],
      ["a2", ada, -2],
      ["a3", ada, 1],
      ["b1", bob, -1],
    ] as const) {
      await adapter.createSession({ sessionToken, userId, expires: ago(days) })
    }
    const listed = await adapter.listSessions(ada.id)
    expect(listed.toSorted((a, b) => (a.sessionToken < b.sessionToken ? -1 : 1))).toEqual([
      { sessionToken: "a1", userId: ada.id, expires: ago(-1) },
      { sessionToken: "a2", userId: ada.id, expires: ago(-2) },
    ])
    expect(await adapter.deleteSessions(ada.id, { except: "a2" })).toBe(2)
    expect(await adapter.listSessions(ada.id)).toMatchObject([{ sessionToken: "a2" }])
    expect(await adapter.deleteSessions("nobody")).toBe(0)
    expect(await adapter.deleteSessions(ada.id)).toBe(1)
    expect(await adapter.listSessions(bob.id)).toHaveLength(1)
  })
})
