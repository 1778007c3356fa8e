import { describe, expect, test, vi } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter, createTestSessions } from "./support/test-adapters.ts"
import { newChange, secondsFromNow } from "./support/test-records.ts"

const hour = 3_600_000

const adapters = [
  {
    name: "RedisAdapter",
    async open(options = {}) {
      const { adapter, prefix, ...fixture } = await createTestAdapter(options)
      return { ...fixture, sessions: adapter, changes: `{${prefix}}:changes` }
    },
  },
  {
    name: "RedisSessions",
    async open(options = {}) {
      const { prefix, ...fixture } = await createTestSessions(options)
      return { ...fixture, changes: `${prefix}:{changes}` }
    },
  },
]

describe.skipIf(!hasRedis).each(adapters)("session changes of $name", ({ open }) => {
  test("are stored and listed with one command, in keys that expire with the last of them", async () => {
    const { sessions, keys, commands, rows, changes } = await open()
    await sessions.saveSessionChange(newChange({ expires: secondsFromNow(5000) }))
    const change = newChange({ expires: secondsFromNow(10) })
    expect(await commands(() => sessions.saveSessionChange(change))).toBe(1)
    const lives = Object.values(await keys())
    expect(lives).toHaveLength(3)
    for (const left of lives) expect(Math.abs(left - hour - 5_000_000)).toBeLessThan(5000)
    expect(await rows.sizeOf(`${changes}:values`)).toBe(2)
    await sessions.listSessionChanges(new Date(0))
    expect(await commands(() => sessions.listSessionChanges(change.changedAt))).toBe(1)
  })

  test("are returned in the order of their times", async () => {
    const { sessions } = await open()
    const now = Date.now()
    const [first, second, third] = [1, 2, 3].map((at) =>
      newChange({ changedAt: new Date(now + at) }),
    )
    for (const change of [third, first, second]) await sessions.saveSessionChange(change!)
    expect(await sessions.listSessionChanges(new Date(now))).toEqual([first, second, third])
    expect(await sessions.listSessionChanges(new Date(now + 2))).toEqual([second, third])
  })

  test("are removed after they have expired, when others are stored", async () => {
    const { sessions, rows, changes } = await open({ keepExpired: 100 })
    for (let count = 0; count < 250; count += 1)
      await sessions.saveSessionChange(newChange({ expires: secondsFromNow(1) }))
    const kept = newChange()
    await vi.waitFor(
      async () => {
        await sessions.saveSessionChange(kept)
        for (const set of ["times", "expiries"])
          expect(await rows.membersOf(`${changes}:${set}`)).toEqual([kept.key])
        expect(await rows.sizeOf(`${changes}:values`)).toBe(1)
      },
      { timeout: 8000, interval: 100 },
    )
  })

  test("keep their text and dates, and refuse other types", async () => {
    const { sessions, keys } = await open()
    const strange = { changedAt: "now", details: {}, expires: new Date(Number.NaN), key: 1n << 9n }
    const { key, ...refused } = strange
    for (const [field, value] of Object.entries(refused)) {
      const change = { ...newChange(), [field]: value }
      await expect((async () => sessions.saveSessionChange(change))()).rejects.toThrow(
        `SessionChange.${field}`,
      )
    }
    expect(await keys()).toEqual({})
    const details = ' {"a b":\n"1 2"} \0'
    const change = newChange({ key: " a  b ", details, changedAt: new Date(1_700_000_000_001) })
    await sessions.saveSessionChange(change)
    expect(await sessions.listSessionChanges(change.changedAt)).toEqual([change])
  })
})
