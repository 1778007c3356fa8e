import type { LeaseStore } from "@latchkey/core/adapters"
import { describe, expect, test, vi } from "vitest"
import { fakeTimers } from "../support/fake-timers.ts"
import { type House, newProcess, severalProcesses } from "../support/several-processes.ts"

const failed = { error: "RefreshTokenError" }
/** In milliseconds. */
const longestRequest = 30_000
const never = (): Promise<never> => new Promise(() => undefined)

async function twoProcesses() {
  const house = await severalProcesses()
  return { house, one: await newProcess(house), two: await newProcess(house) }
}

/** The provider, and what happens when it has answered. */
function answering({ provider }: House, then: () => unknown): typeof fetch {
  return async (...request) => {
    const answer = await provider.fetch(...request)
    await then()
    return answer
  }
}

describe("89 what one process has renewed is there for the next, also when the store", () => {
  test.each([
    ["has lost the lease", `delete from "LatchkeyLease"`],
    ["has let it end, for a process that stood still", `update "LatchkeyLease" set expires = 1`],
  ])("%s", async (_, statement) => {
    const { house, one, two } = await twoProcesses()
    const fetch = answering(house, () => one.database.exec(statement))
    const renewed = await one.rotate(house.token, { fetch })
    expect(renewed).not.toHaveProperty("error")
    expect(await two.rotate(house.token)).toEqual(renewed)
    expect(house.provider.tokenRequests).toHaveLength(1)
    expect([...one.told, ...two.told]).toEqual([])
  })

  test("starts again meanwhile, which takes ten seconds", async () => {
    const { house, one, two } = await twoProcesses()
    const store = outage(one.leases)
    const { pass, until } = fakeTimers()
    const fetch = answering(house, store.begin)
    const renewing = one.rotate(house.token, { fetch, leases: store.leases })
    const renewed = await until(renewing, longestRequest)
    expect(renewed).not.toHaveProperty("error")
    await pass(10_000)
    store.end()
    expect(await until(two.rotate(house.token), longestRequest)).toEqual(renewed)
    expect(house.provider.tokenRequests).toHaveLength(1)
    expect([...one.told, ...two.told]).toEqual([])
  })
})

describe("89 a store of leases that does not answer", () => {
  test("keeps no request waiting that has its tokens", async () => {
    const { house, one } = await twoProcesses()
    const leases = { ...one.leases, settleLease: never }
    const { until } = fakeTimers()
    const renewing = one.rotate(house.token, { leases })
    expect(await until(renewing, longestRequest)).not.toHaveProperty("error")
  })

  test("keeps no request waiting whose provider failed", async () => {
    const { house, one } = await twoProcesses()
    const leases = { ...one.leases, releaseLease: never }
    house.provider.misbehave({ token: "status-500" })
    const { until } = fakeTimers()
    const renewing = one.rotate(house.token, { leases })
    expect(await until(renewing, longestRequest)).toEqual({ ...house.token, ...failed })
  })

  test("is not waited for as long as a request may take, and what comes later is asked anew", async () => {
    const { house, one } = await twoProcesses()
    const { until } = fakeTimers()
    const waiting = one.rotate(house.token, { leases: { ...one.leases, acquireLease: never } })
    expect(await until(waiting, longestRequest)).toEqual({ ...house.token, ...failed })
    expect(String(one.told)).toContain("The store of leases did not answer within 5 s")
    expect(house.provider.tokenRequests).toEqual([])
    expect(await one.rotate(house.token)).not.toHaveProperty("error")
  })

  test("does not keep a lease for a process that has given up", async () => {
    const { house, one, two } = await twoProcesses()
    const acquireLease: LeaseStore["acquireLease"] = async (lease) => {
      await one.leases.acquireLease(lease)
      return never()
    }
    const { until } = fakeTimers()
    const waiting = one.rotate(house.token, { leases: { ...one.leases, acquireLease } })
    expect(await until(waiting, longestRequest)).toMatchObject(failed)
    expect(await two.rotate(house.token)).not.toHaveProperty("error")
    expect(house.provider.tokenRequests).toHaveLength(1)
  })
})

test("89 a process that waits for another is no load for the store", async () => {
  const { house, one } = await twoProcesses()
  const acquireLease = vi.fn(async () => ({ state: "held" }) as const)
  const { until } = fakeTimers()
  const waiting = one.rotate(house.token, { leases: { ...one.leases, acquireLease } })
  expect(await until(waiting, longestRequest)).toMatchObject(failed)
  expect(acquireLease.mock.calls.length).toBeLessThan(30)
})

/** A store that can be away. */
function outage(leases: LeaseStore) {
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
      settleLease: async (lease) => present().settleLease(lease),
      releaseLease: async (lease) => present().releaseLease(lease),
    } satisfies LeaseStore,
  }
}
