/** Deadlines, by one timer for all as on Node.js, and by a timer for each as elsewhere. */
import { AsyncLocalStorage } from "node:async_hooks"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Timeouts } from "../../src/runtime/timeouts.ts"

const fakeClock = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })

beforeEach(() => {
  fakeClock()
  vi.resetModules() // each test begins with nobody who waits
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const variants: [string, () => Promise<{ timeouts: Timeouts }>][] = [
  ["Node.js", () => import("../../src/runtime/timeouts.node.ts")],
  ["everywhere else", () => import("../../src/runtime/timeouts.web.ts")],
]

describe.each(variants)("a deadline on %s", (_, load) => {
  test("comes when its time is over, and less than a second later", async () => {
    const { timeouts } = await load()
    const expire = vi.fn()
    await vi.advanceTimersByTimeAsync(120) // in the middle of whatever is counted
    timeouts.set(3000, expire)
    await vi.advanceTimersByTimeAsync(2999)
    expect(expire).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    expect(expire).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("does not come when it is cleared", async () => {
    const { timeouts } = await load()
    const expire = vi.fn()
    const kept = vi.fn()
    const deadline = timeouts.set(3000, expire)
    timeouts.set(3000, kept)
    await vi.advanceTimersByTimeAsync(2900)
    timeouts.clear(deadline)
    await vi.advanceTimersByTimeAsync(5000)
    expect(expire).not.toHaveBeenCalled()
    expect(kept).toHaveBeenCalledOnce()
  })

  test("comes for each in its own time, those that were set meanwhile included", async () => {
    const { timeouts } = await load()
    const ends: string[] = []
    timeouts.set(2000, () => void ends.push("first"))
    timeouts.set(500, () => {
      ends.push("second")
      timeouts.set(500, () => void ends.push("third"))
    })
    await vi.advanceTimersByTimeAsync(4000)
    expect(ends).toEqual(["second", "third", "first"])
  })

  test("comes after a time without any, too", async () => {
    const { timeouts } = await load()
    timeouts.clear(timeouts.set(1000, vi.fn()))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.getTimerCount()).toBe(0)
    const expire = vi.fn()
    timeouts.set(1000, expire)
    await vi.advanceTimersByTimeAsync(2000)
    expect(expire).toHaveBeenCalledOnce()
  })
})

describe("deadlines on Node.js", () => {
  const load = () => import("../../src/runtime/timeouts.node.ts")

  test("share a timer, which ends when nobody waits", async () => {
    const { timeouts } = await load()
    const all = Array.from({ length: 100 }, () => timeouts.set(30_000, vi.fn()))
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(1)
    for (const deadline of all) timeouts.clear(deadline)
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("come again after a clock that was put back with their timer", async () => {
    const { timeouts } = await load()
    timeouts.set(1000, vi.fn())
    vi.useRealTimers()
    fakeClock()
    const expire = vi.fn()
    timeouts.set(1000, expire)
    await vi.advanceTimersByTimeAsync(2000)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("go by time, not by how often it is looked: a busy thread looks seldom", async () => {
    const { timeouts } = await load()
    const expire = vi.fn()
    timeouts.set(30_000, expire)
    const now = performance.now()
    vi.spyOn(performance, "now").mockReturnValue(now + 30_001)
    await vi.advanceTimersByTimeAsync(250)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("look on after one that throws", async () => {
    const { timeouts } = await load()
    const expire = vi.fn()
    timeouts.set(1000, () => {
      throw new TypeError("not ours")
    })
    timeouts.set(1000, expire)
    expect(() => vi.advanceTimersByTime(1250)).toThrow("not ours")
    vi.advanceTimersByTime(1250)
    expect(expire).toHaveBeenCalledOnce()
  })

  test("hold nothing of the request that came first", async () => {
    const { timeouts } = await load()
    const storage = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    storage.run("alice", () => timeouts.set(1000, () => void seen.push(storage.getStore())))
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen).toEqual([undefined])
  })

  test("are a timer for each where it is not Node.js indeed", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })
    const { timeouts } = await load()
    vi.unstubAllGlobals()
    expect(timeouts).toBe((await import("../../src/runtime/timeouts.web.ts")).timeouts)
  })
})
