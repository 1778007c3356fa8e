import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createProgress } from "../src/progress.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createStream(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = []
  return { written, ...terminal, write: (text: string) => void written.push(text) }
}

test("a terminal has one line that changes, and disappears", () => {
  const stream = createStream({ isTTY: true, columns: 80 })
  const progress = createProgress(stream)
  progress.update("Removed 1,000 expired rows")
  progress.update("Removed 2,000 expired rows")
  vi.advanceTimersByTime(1000)
  progress.end()
  vi.advanceTimersByTime(60_000)

  expect(stream.written[0]).toBe("\r\x1b[2KRemoved 1,000 expired rows (0 s)")
  expect(stream.written.at(-2)).toBe("\r\x1b[2KRemoved 2,000 expired rows (1 s)")
  expect(stream.written.at(-1)).toBe("\r\x1b[2K")
  expect(stream.written.join("")).not.toContain("\n")
})

test("a line is no longer than the terminal is wide", () => {
  const stream = createStream({ isTTY: true, columns: 10 })
  createProgress(stream).update("Applying 0001-entities")

  expect(stream.written).toEqual(["\r\x1b[2KApplying "])
})

test("a terminal may not know its width", () => {
  const stream = createStream({ isTTY: true, columns: 0 })
  createProgress(stream).update("Applying 0001-entities")

  expect(stream.written).toEqual(["\r\x1b[2KApplying 0001-entities (0 s)"])
})

test("elsewhere a line is written every ten seconds", () => {
  const stream = createStream({})
  const progress = createProgress(stream)
  progress.update("Applying 0001-entities")
  vi.advanceTimersByTime(9000)
  progress.update("Applying 0002-leases")
  expect(stream.written).toEqual([])

  vi.advanceTimersByTime(11_000)
  progress.end()
  expect(stream.written).toEqual(["Applying 0002-leases (10 s)\n", "Applying 0002-leases (20 s)\n"])
})

test("a line is also written if no timer can run", () => {
  const stream = createStream({})
  const progress = createProgress(stream)
  progress.update("Removed 1,000 expired rows")
  vi.setSystemTime(Date.now() + 10_000)
  progress.update("Removed 2,000 expired rows")

  expect(stream.written).toEqual(["Removed 2,000 expired rows (10 s)\n"])
})

test("short operations write nothing elsewhere", () => {
  const stream = createStream({})
  const progress = createProgress(stream)
  progress.update("Applying 0001-entities")
  progress.end()
  progress.end()

  expect(stream.written).toEqual([])
})
