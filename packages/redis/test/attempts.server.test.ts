import { describe, expect, test } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter, createTestSessions } from "./support/test-adapters.ts"

describe.skipIf(!hasRedis).each([
  {
    name: "RedisAdapter",
    open: async () =>
      createTestAdapter().then((fixture) => ({ ...fixture, attempts: fixture.adapter })),
  },
  {
    name: "RedisSessions",
    open: async () =>
      createTestSessions().then((fixture) => ({ ...fixture, attempts: fixture.sessions })),
  },
])("attempts of $name", ({ open }) => {
  test("are one key and one command per call, and the key expires with the window", async () => {
    const { attempts, commands, keys } = await open()
    const parallel = Array.from({ length: 64 }, () => attempts.countAttempt("0a1b", 60))
    const counts = (await Promise.all(parallel)).map(({ count }) => count)
    expect(counts.filter((count) => count <= 10)).toHaveLength(10)
    expect(await commands(async () => void (await attempts.countAttempt("0a1b", 3600)))).toBe(1)
    const [[name, left] = ["", 0], ...others] = Object.entries(await keys())
    expect(others).toEqual([])
    expect(name).toMatch(/:attempts:0a1b$/)
    expect(left).toBeGreaterThan(50_000)
    expect(left).toBeLessThanOrEqual(60_000)
    expect(await commands(async () => attempts.resetAttempts("0a1b"))).toBe(1)
    expect(await keys()).toEqual({})
  })
})
