import { withClock } from "@latchkey/testing"
import { expect, test } from "vitest"

test("the clock stands still at another time, and goes on afterwards", async () => {
  const before = Date.now()
  const seen = await withClock(new Date("2031-01-01T00:00:00Z"), async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return [Date.now(), new Date().toISOString(), new Date(0).getTime(), new Date() instanceof Date]
  })
  expect(seen).toEqual([Date.UTC(2031, 0), "2031-01-01T00:00:00.000Z", 0, true])
  expect(Date.now()).toBeGreaterThanOrEqual(before)
  await expect(withClock(0, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(Date.now()).toBeGreaterThanOrEqual(before)
})
