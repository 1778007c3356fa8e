import { afterEach, expect, test, vi } from "vitest"
import { UsedChallenges } from "../../src/flows/passkeys/challenge-store.ts"

const minute = 60_000

afterEach(() => void vi.useRealTimers())

test("a challenge can be used once", () => {
  const used = new UsedChallenges()
  expect(used.add("one")).toBe(true)
  expect(used.add("one")).toBe(false)
  expect(used.add("another")).toBe(true)
})

test("a challenge is remembered until its expiry, and no longer", () => {
  vi.useFakeTimers({ now: 0 })
  const used = new UsedChallenges()
  used.add("early")
  vi.setSystemTime(14 * minute)
  expect(used.add("early")).toBe(false)
  vi.setSystemTime(16 * minute)
  expect(used.add("early")).toBe(true)
})

test("the number of challenges is limited: the oldest are forgotten first", () => {
  const used = new UsedChallenges()
  for (let count = 0; count < 10_001; count += 1) used.add(String(count))
  expect(used.add("10000")).toBe(false)
  expect(used.add("0")).toBe(true)
})
