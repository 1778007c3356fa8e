import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { requestTimeout, withTimeout } from "../../src/http/timeout.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const createError = () => new TypeError("too late")

/** Work that a test completes, or never. */
function createWork(duration = 3000) {
  let resolve = (_: string): void => undefined
  let reject = (_: Error): void => undefined
  const promise = new Promise<string>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  const onResult = vi.fn()
  const onTimeout = vi.fn()
  withTimeout(duration, promise, createError).then(onResult, onTimeout)
  return { resolve, reject, onResult, onTimeout }
}

test("withTimeout rejects once after the timeout", async () => {
  const { onTimeout } = createWork()
  await vi.advanceTimersByTimeAsync(2999)
  expect(onTimeout).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onTimeout).toHaveBeenCalledExactlyOnceWith(createError())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test("withTimeout returns the result of a task that completes in time, and leaves no timer behind", async () => {
  const { resolve, onResult, onTimeout } = createWork()
  const other = createWork()
  await vi.advanceTimersByTimeAsync(2900)
  resolve("done")
  await vi.advanceTimersByTimeAsync(5000)
  expect(onResult).toHaveBeenCalledExactlyOnceWith("done")
  expect(onTimeout).not.toHaveBeenCalled()
  expect(other.onTimeout).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test("withTimeout passes on the error of a task that fails in time, and leaves no timer behind", async () => {
  const { reject, onTimeout } = createWork()
  reject(new RangeError("failed"))
  await vi.advanceTimersByTimeAsync(0)
  expect(onTimeout).toHaveBeenCalledExactlyOnceWith(new RangeError("failed"))
  expect(vi.getTimerCount()).toBe(0)
})

test("withTimeout ends each task after its own timeout, including one that starts later", async () => {
  const ends: string[] = []
  const wait = (name: string, duration: number) =>
    withTimeout(duration, new Promise(() => undefined), createError).catch(() => ends.push(name))
  void wait("first", 2000)
  void wait("second", 500).then(() => wait("third", 500))
  await vi.advanceTimersByTimeAsync(4000)
  expect(ends).toEqual(["second", "third", "first"])
})

test("a request can take 30 seconds", () => {
  expect(requestTimeout).toBe(30_000)
})
