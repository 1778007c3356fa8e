/** Deadlines, by one timer for all as on Node.js, and by a timer for each as elsewhere. */
import { AsyncLocalStorage } from "node:async_hooks"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Deadlines } from "../../src/runtime/deadlines.ts"

const fakeClock = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })

beforeEach(() => {
  fakeClock()
  vi.resetModules() // each test begins with nobody who waits
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const variants: [string, () => Promise<{ deadlines: Deadlines }>][] = [
  ["Node.js", () => import("../../src/runtime/deadlines.node.ts")],
  ["everywhere else", () => import("../../src/runtime/deadlines.web.ts")],
]

describe.each(variants)("a deadline on %s", (_, load) => {
  test("comes when its time is over, and less than a second later", async () => {
    const { deadlines } = await load()
    const expire = vi.fn()
    await vi.advanceTimersByTimeAsync(120) // in the middle of whatever is counted
    deadlines.set(3000, expire)
    await vi.advanceTimersByTimeAsync(2999)
    expect(expire).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    expect(expire).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("does not come when it is cleared", async () => {
    const { deadlines } = await load()
    const expire = vi.fn()
    const kept = vi.fn()
    const deadline = deadlines.set(3000, expire)
    deadlines.set(3000, kept)
    await vi.advanceTimersByTimeAsync(2900)
    deadlines.clear(deadline)
    await vi.advanceTimersByTimeAsync(5000)
    expect(expire).not.toHaveBeenCalled()
    expect(kept).toHaveBeenCalledOnce()
  })

  test("comes for each in its own time, those that were set meanwhile included", async () => {
    const { deadlines } = await load()
    const ends: string[] = []
    deadlines.set(2000, () => void ends.push("first"))
    deadlines.set(500, () => {
      ends.push("second")
      deadlines.set(500, () => void ends.push("third"))
    })
    await vi.advanceTimersByTimeAsync(4000)
    expect(ends).toEqual(["second", "third", "first"])
  })

  test("comes after a time without any, too", async () => {
    const { deadlines } = await load()
    deadlines.clear(deadlines.set(1000, vi.fn()))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.getTimerCount()).toBe(0)
    const expire = vi.fn()
    deadlines.set(1000, expire)
    await vi.advanceTimersByTimeAsync(2000)
    expect(expire).toHaveBeenCalledOnce()
  })
})

describe("deadlines on Node.js", () => {
  const load = () => import("../../src/runtime/deadlines.node.ts")

  test("share a timer, which ends when nobody waits", async () => {
    const { deadlines } = await load()
    const all = Array.from({ length: 100 }, () => deadlines.set(30_000, vi.fn()))
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(1)
    for (const deadline of all) deadlines.clear(deadline)
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("come again after a clock that was put back with their timer", async () => {
    const { deadlines } = await load()
    deadlines.set(1000, vi.fn())
    vi.useRealTimers()
    fakeClock()
    const expire = vi.fn()
    deadlines.set(1000, expire)
    await vi.advanceTimersByTimeAsync(2000)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("go by time, not by how often it is looked: a busy thread looks seldom", async () => {
    const { deadlines } = await load()
    const expire = vi.fn()
    deadlines.set(30_000, expire)
    const now = performance.now()
    vi.spyOn(performance, "now").mockReturnValue(now + 30_001)
    await vi.advanceTimersByTimeAsync(250)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("look on after one that throws", async () => {
    const { deadlines } = await load()
    const expire = vi.fn()
    deadlines.set(1000, () => {
      throw new TypeError("not ours")
    })
    deadlines.set(1000, expire)
    expect(() => vi.advanceTimersByTime(1250)).toThrow("not ours")
    vi.advanceTimersByTime(1250)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("hold nothing of the request that came first", async () => {
    const { deadlines } = await load()
    const storage = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    storage.run("alice", () => deadlines.set(1000, () => void seen.push(storage.getStore())))
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen).toEqual([undefined])
  })

  test("are a timer for each where it is not Node.js indeed", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })
    const { deadlines } = await load()
    vi.unstubAllGlobals()
    expect(deadlines).toBe((await import("../../src/runtime/deadlines.web.ts")).deadlines)
  })
})
