import type { LeaseStore } from "@latchkey/core/adapters"
import { describe, expect, test, vi } from "vitest"
import { useFakeTimers } from "../support/fake-timers.ts"
import {
  createRefreshSetup,
  loadSeparateLibrary,
  type RefreshSetup,
} from "../support/refresh-processes.ts"

const failedRefresh = { error: "RefreshTokenError" }
/** In milliseconds. */
const requestTimeout = 30_000
const neverResolve = (): Promise<never> => new Promise(() => undefined)

async function createTwoProcesses() {
  const app = await createRefreshSetup()
  return { app, one: await loadSeparateLibrary(app), two: await loadSeparateLibrary(app) }
}

/** The provider, with a hook that runs after its responses. */
function runAfterFetch({ provider }: RefreshSetup, then: () => unknown): typeof fetch {
  return async (...request) => {
    const response = await provider.fetch(...request)
    await then()
    return response
  }
}

describe("refreshed tokens are available to the next process, even if the store", () => {
  test.each([
    ["has lost the lease", `delete from "LatchkeyLease"`],
    ["has expired it, because the process was suspended", `update "LatchkeyLease" set expires = 1`],
  ])("%s", async (_, statement) => {
    const { app, one, two } = await createTwoProcesses()
    const fetch = runAfterFetch(app, () => one.database.exec(statement))
    const renewed = await one.rotate(app.token, { fetch })
    expect(renewed).not.toHaveProperty("error")
    expect(await two.rotate(app.token)).toEqual(renewed)
    expect(app.provider.tokenRequests).toHaveLength(1)
    expect([...one.reported, ...two.reported]).toEqual([])
  })

  test("restarts meanwhile, which takes ten seconds", async () => {
    const { app, one, two } = await createTwoProcesses()
    const store = createLeaseOutage(one.leases)
    const { advance, advanceUntil } = useFakeTimers()
    const fetch = runAfterFetch(app, store.begin)
    const renewing = one.rotate(app.token, { fetch, leases: store.leases })
    const renewed = await advanceUntil(renewing, requestTimeout)
    expect(renewed).not.toHaveProperty("error")
    await advance(10_000)
    store.end()
    expect(await advanceUntil(two.rotate(app.token), requestTimeout)).toEqual(renewed)
    expect(app.provider.tokenRequests).toHaveLength(1)
    expect([...one.reported, ...two.reported]).toEqual([])
  })
})

describe("a lease store that does not respond", () => {
  test("does not delay a request whose tokens were refreshed", async () => {
    const { app, one } = await createTwoProcesses()
    const leases = { ...one.leases, completeLease: neverResolve }
    const { advanceUntil } = useFakeTimers()
    const renewing = one.rotate(app.token, { leases })
    expect(await advanceUntil(renewing, requestTimeout)).not.toHaveProperty("error")
  })

  test("does not delay a request whose refresh failed", async () => {
    const { app, one } = await createTwoProcesses()
    const leases = { ...one.leases, releaseLease: neverResolve }
    app.provider.injectFaults({ token: "status-500" })
    const { advanceUntil } = useFakeTimers()
    const renewing = one.rotate(app.token, { leases })
    expect(await advanceUntil(renewing, requestTimeout)).toEqual({ ...app.token, ...failedRefresh })
  })

  test("times out before the request does, and the next request tries again", async () => {
    const { app, one } = await createTwoProcesses()
    const { advanceUntil } = useFakeTimers()
    const waiting = one.rotate(app.token, { leases: { ...one.leases, acquireLease: neverResolve } })
    expect(await advanceUntil(waiting, requestTimeout)).toEqual({ ...app.token, ...failedRefresh })
    expect(String(one.reported)).toContain("The store of leases did not respond within 5 s")
    expect(app.provider.tokenRequests).toEqual([])
    expect(await one.rotate(app.token)).not.toHaveProperty("error")
  })

  test("does not keep a lease for a process whose request timed out", async () => {
    const { app, one, two } = await createTwoProcesses()
    const acquireLease: LeaseStore["acquireLease"] = async (lease) => {
      await one.leases.acquireLease(lease)
      return neverResolve()
    }
    const { advanceUntil } = useFakeTimers()
    const waiting = one.rotate(app.token, { leases: { ...one.leases, acquireLease } })
    expect(await advanceUntil(waiting, requestTimeout)).toMatchObject(failedRefresh)
    expect(await two.rotate(app.token)).not.toHaveProperty("error")
    expect(app.provider.tokenRequests).toHaveLength(1)
  })
})

test("a process that waits for another one causes little load on the store", async () => {
  const { app, one } = await createTwoProcesses()
  const acquireLease = vi.fn(async () => ({ state: "held" }) as const)
  const { advanceUntil } = useFakeTimers()
  const waiting = one.rotate(app.token, { leases: { ...one.leases, acquireLease } })
  expect(await advanceUntil(waiting, requestTimeout)).toMatchObject(failedRefresh)
  expect(acquireLease.mock.calls.length).toBeLessThan(30)
})

/** A lease store that can be unreachable. */
function createLeaseOutage(leases: LeaseStore) {
  let isAway = false
  const present = () => {
    if (isAway) throw new Error("away")
    return leases
  }
  return {
    begin() {
      isAway = true
    },
    end() {
      isAway = false
    },
    leases: {
      acquireLease: async (lease) => present().acquireLease(lease),
      completeLease: async (lease) => present().completeLease(lease),
      releaseLease: async (lease) => present().releaseLease(lease),
    } satisfies LeaseStore,
  }
}
