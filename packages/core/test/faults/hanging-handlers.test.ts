import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { linkingHouse } from "../support/linking-house.ts"

const never = () => new Promise<void>(() => undefined)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets time pass until some work is done. */
async function patiently<T>(work: Promise<T>): Promise<T> {
  let done = false
  const finished = work.finally(() => {
    done = true
  })
  while (!done) await vi.advanceTimersByTimeAsync(1000)
  return finished
}

describe("122 an event handler that never finishes", () => {
  test("delays a sign-in and a sign-out, and prevents neither", async () => {
    const events = { signIn: never, signOut: never, session: never }
    const house = await linkingHouse({ events })
    const alice = house.visitor()
    await patiently(alice.signIn(house.work))
    expect(await patiently(alice.session())).not.toBeNull()
    await patiently(alice.signOut())
    expect(await patiently(alice.session())).toBeNull()
    expect(house.counts()).toEqual([1, 1, 0, 0])
    expect(house.log.errors()).toContain("EventError")
  })
})
