import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { linkingHouse } from "../support/linking-house.ts"
import { world } from "../support/world.ts"

const never = () => new Promise<void>(() => undefined)

/** How long the library waits for what its answer does not depend on; here it waits less. */
const asideLimit = 5000
/** How often it looks whose request takes too long; here it looks more often, by a clock that runs faster. */
const period = 250
const haste = 300

beforeEach(() => {
  const real = globalThis.setTimeout
  const impatient = (run: () => void, delay?: number) =>
    real(run, delay === asideLimit ? 20 : delay === period ? 1 : delay)
  vi.stubGlobal("setTimeout", Object.assign(impatient, real))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
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

test("118 a database that hangs while the old session is removed does not keep the new one back", async () => {
  const { adapter } = await world()
  let hangs = false
  const house = await linkingHouse({
    adapter: {
      ...adapter,
      deleteSession: async (token) => {
        if (hangs) await never()
        await adapter.deleteSession(token)
        return null
      },
    },
  })
  const alice = house.visitor()
  await alice.signIn(house.work)
  const before = alice.cookies.get("__Secure-authjs.session-token")?.value
  hangs = true
  await alice.signIn(house.work)
  expect(alice.cookies.get("__Secure-authjs.session-token")?.value).not.toBe(before)
  expect(await alice.session()).not.toBeNull()
  expect(house.log.errors()).toContain("SessionTokenError")
})

test("118 a database that never answers ends the request after half a minute, and signs nobody out", async () => {
  const { adapter } = await world()
  let hangs = false
  const house = await linkingHouse({
    adapter: {
      ...adapter,
      async getSessionAndUser(token) {
        if (hangs) await never()
        return adapter.getSessionAndUser(token)
      },
    },
  })
  const alice = house.visitor()
  await alice.signIn(house.work)
  const before = alice.cookies.get("__Secure-authjs.session-token")
  hangs = true
  const now = performance.now.bind(performance)
  vi.spyOn(performance, "now").mockImplementation(() => now() * haste)
  const answer = await alice.open("/auth/session")
  expect(answer.status).toBe(503)
  expect(alice.cookies.get("__Secure-authjs.session-token")).toEqual(before)
  expect(house.log.text()).toContain("to finish within 30 s")
  hangs = false
  vi.restoreAllMocks()
  expect(await alice.session()).not.toBeNull()
})
