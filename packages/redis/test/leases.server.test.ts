import { inspect } from "node:util"
import { RedisError } from "@latchkey/redis"
import { describe, expect, test, vi } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter, createTestSessions } from "./support/test-adapters.ts"

const lease = { key: "refresh 0a1b", holder: "the-holder", lifetime: 60_000 }

describe.skipIf(!hasRedis).each([
  {
    name: "RedisAdapter",
    open: async () =>
      createTestAdapter().then((fixture) => ({ ...fixture, leases: fixture.adapter })),
  },
  {
    name: "RedisSessions",
    open: async () =>
      createTestSessions().then((fixture) => ({ ...fixture, leases: fixture.sessions })),
  },
])("leases of $name", ({ open }) => {
  test("are one key and one command per call, and the key expires with the lease", async () => {
    const { leases, commands, keys } = await open()
    const lives = async () => Object.entries(await keys())
    expect(await commands(() => leases.acquireLease(lease))).toBe(1)
    const [[name, left] = ["", 0], ...others] = await lives()
    expect(others).toEqual([])
    expect(name).toMatch(/:lease:refresh 0a1b$/)
    expect(left).toBeGreaterThan(50_000)
    expect(left).toBeLessThanOrEqual(60_000)
    const result = { ...lease, lifetime: 300_000, result: "done" }
    expect(await commands(() => leases.completeLease(result))).toBe(1)
    const [[, kept] = ["", 0]] = await lives()
    expect(kept).toBeGreaterThan(290_000)
    expect(kept).toBeLessThanOrEqual(300_000)
  })

  test("are deleted when they are released", async () => {
    const { leases, commands, keys } = await open()
    await leases.acquireLease(lease)
    expect(await commands(() => leases.releaseLease(lease))).toBe(1)
    expect(await keys()).toEqual({})
  })

  test("expire automatically, with their result", async () => {
    const { leases, keys } = await open()
    await leases.acquireLease({ ...lease, lifetime: 1 })
    await leases.acquireLease({ ...lease, key: "other" })
    await leases.completeLease({ ...lease, key: "other", lifetime: 1, result: "done" })
    await vi.waitFor(async () => expect(await keys()).toEqual({}), { timeout: 8000, interval: 50 })
  })

  test("are refused as other types, and errors contain neither holder nor result", async () => {
    const { leases, keys } = await open()
    const secret = "s3cr3t \uD800"
    const refused = [
      () => leases.acquireLease({ ...lease, holder: secret }),
      () => leases.acquireLease({ ...lease, key: secret }),
      () => leases.acquireLease({ ...lease, lifetime: 0 }),
      () => leases.acquireLease({ ...lease, lifetime: 1.5 }),
      () => leases.completeLease({ ...lease, result: secret }),
      () => leases.completeLease({ ...lease, lifetime: Number.NaN, result: secret }),
      () => leases.releaseLease({ ...lease, holder: secret }),
    ]
    const fields = ["holder", "key", "lifetime", "lifetime", "result", "lifetime", "holder"]
    for (const [index, attempt] of refused.entries()) {
      const error: unknown = await (async () => attempt())().catch((each: unknown) => each)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain(`Lease.${fields[index]}`)
      expect(inspect(error)).not.toContain("s3cr3t")
    }
    expect(await keys()).toEqual({})
  })
})

describe.skipIf(!hasRedis)("a lease of RedisSessions during an outage", () => {
  test("rejects, and can be acquired again by its holder afterwards", async () => {
    const { sessions, breakAfter, mend } = await createTestSessions()
    const result = "s3cr3t"
    breakAfter(0)
    for (const attempt of [
      () => sessions.acquireLease(lease),
      () => sessions.completeLease({ ...lease, result }),
      () => sessions.releaseLease(lease),
    ]) {
      const error: unknown = await (async () => attempt())().catch((each: unknown) => each)
      expect(error).toBeInstanceOf(RedisError)
      expect(error).toMatchObject({ code: "unreachable" })
      expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/s3cr3t|the-holder/)
    }
    mend()
    expect(await sessions.acquireLease(lease)).toEqual({ state: "granted" })
    expect(await sessions.acquireLease({ ...lease, holder: "other" })).toEqual({ state: "held" })
  })
})
