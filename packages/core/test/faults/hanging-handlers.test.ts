import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { linkingHouse } from "../support/linking-house.ts"

const never = () => new Promise<void>(() => undefined)

/** How long the library waits for a handler; here it waits less. */
const handlerLimit = 5000

beforeEach(() => {
  const real = globalThis.setTimeout
  const impatient = (run: () => void, delay?: number) =>
    real(run, delay === handlerLimit ? 20 : delay)
  vi.stubGlobal("setTimeout", Object.assign(impatient, real))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe("122 an event handler that never finishes", () => {
  test("delays a sign-in and a sign-out, and prevents neither", async () => {
    const events = { signIn: never, signOut: never, session: never }
    const house = await linkingHouse({ events })
    const alice = house.visitor()
    await alice.signIn(house.work)
    expect(await alice.session()).not.toBeNull()
    await alice.signOut()
    expect(await alice.session()).toBeNull()
    expect(house.counts()).toEqual([1, 1, 0, 0])
    expect(house.log.errors()).toContain("EventError")
  })
})
