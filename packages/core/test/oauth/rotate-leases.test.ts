import type { LeaseStore } from "@latchkey/core/adapters"
import { hazards, withClock } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { fakeTimers } from "../support/fake-timers.ts"
import { expectSecretsUnlogged } from "../support/oauth-app.ts"
import { expired, rotating, tokenOf } from "../support/rotation.ts"
import {
  type House,
  newProcess,
  outdated,
  severalProcesses,
  startProcess,
} from "../support/several-processes.ts"

const failed = { error: "RefreshTokenError" }
/** In milliseconds. */
const longestRequest = 30_000

describe("89 an access token that several processes renew, with leases", () => {
  test("is renewed once in each generation by four processes with 25 requests each", async () => {
    const house = await severalProcesses()
    const { provider } = house
    const processes = await Promise.all([1, 2, 3, 4].map(() => startProcess(house)))
    let { token } = house
    for (const generation of [1, 2, 3]) {
      const answers = await Promise.all(processes.map(({ rotate }) => rotate(token)))
      const [renewed = {}, ...others] = answers.flat()
      expect(others).toHaveLength(99)
      for (const other of others) expect(other).toEqual(renewed)
      expect(renewed).not.toHaveProperty("error")
      expect(renewed["access_token"]).not.toBe(token["access_token"])
      expect(renewed["refresh_token"]).not.toBe(token["refresh_token"])
      expect(provider.tokenRequests).toHaveLength(generation)
      token = outdated(renewed)
    }
  })

  test("is that of the process that renewed it, also for a request that comes minutes later", async () => {
    const house = await severalProcesses()
    const [first, second] = [await newProcess(house), await newProcess(house)]
    const renewed = await first.rotate(house.token)
    const late = withClock(Date.now() + 290_000, () => second.rotate(house.token))
    expect(await late).toEqual(renewed)
    expect(house.provider.tokenRequests).toHaveLength(1)
    expect([...first.told, ...second.told]).toEqual([])
  })

  test("is renewed by each process without leases, which the provider takes for a theft", async () => {
    const house = await severalProcesses()
    const [first, second] = [await newProcess(house), await newProcess(house)]
    const { token, rotation } = house
    expect(await first.rotateAccessToken({ token }, rotation)).not.toHaveProperty("error")
    expect(await second.rotateAccessToken({ token }, rotation)).toMatchObject(failed)
    expect(house.provider.tokenRequests).toHaveLength(2)
  })

  test("is renewed by the next process when the first one fails", async () => {
    const house = await severalProcesses()
    const [first, second] = [await newProcess(house), await newProcess(house)]
    const [isAsked, asked] = signal()
    const [isWaiting, waiting] = signal()
    house.provider.answer("token", async () => {
      asked()
      await isWaiting
      house.provider.behave()
      return new Response("busy", { status: 503 })
    })
    const losing = first.rotate(house.token)
    await isAsked
    const leases = { ...second.leases, acquireLease: reporting(second.leases, waiting) }
    const renewed = await second.rotate(house.token, { leases })
    expect(await losing).toMatchObject({ ...failed, refresh_token: house.token["refresh_token"] })
    expect(renewed).not.toHaveProperty("error")
    expect(house.provider.tokenRequests).toHaveLength(2)
  })

  test("waits for a process that was killed no longer than a request may take, and is renewed later", async () => {
    const house = await severalProcesses()
    const { provider, token } = house
    const [isAsked, asked] = signal()
    provider.answer("token", (request, honest) => {
      asked()
      return hazards.hang(request, honest)
    })
    const doomed = await startProcess(house)
    doomed.begin(token)
    await isAsked
    await doomed.kill()
    provider.behave()
    const { rotate, told } = await newProcess(house)
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const waiting = rotate(token)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await waiting).toEqual({ ...token, ...failed })
    expect(String(told)).toContain("Another process did not get done within 15 s")
    expect(provider.tokenRequests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await rotate(token)).not.toHaveProperty("error")
    expect(provider.tokenRequests).toHaveLength(2)
  })
})

describe("a store that leases are kept in", () => {
  test("that is away leaves the session as it was, and the provider unasked", async () => {
    const house = await severalProcesses()
    const { database, leases } = await newProcess(house)
    database.close()
    const told: unknown[] = []
    const onError = (error: unknown): void => void told.push(error)
    const { alice, provider, at } = await rotating({}, { leases, onError })
    const before = await tokenOf(alice)
    expect(await tokenOf(alice, expired)).toMatchObject({
      email: "ada@example.com",
      access_token: before["access_token"],
      refresh_token: before["refresh_token"],
      ...failed,
    })
    expect(told).toEqual([expect.objectContaining({ operation: "acquireLease" })])
    expect(provider.tokenRequests).toEqual([])
    expectSecretsUnlogged(at, provider)
  })

  test("that granted a lease, but whose answer was lost, is asked once more", async () => {
    const house = await severalProcesses()
    const { leases, rotate, told } = await newProcess(house)
    const acquireLease = vi.fn(leases.acquireLease).mockImplementationOnce(async (lease) => {
      await leases.acquireLease(lease)
      throw new Error("connection lost")
    })
    const renewed = await rotate(house.token, { leases: { ...leases, acquireLease } })
    expect(renewed).not.toHaveProperty("error")
    expect(acquireLease).toHaveBeenCalledTimes(2)
    expect(told).toEqual([])
  })

  test("that dies during the refresh takes nothing from the process that did it", async () => {
    const house = await severalProcesses()
    const { database, rotate, told } = await newProcess(house)
    const fetch: typeof globalThis.fetch = (...request) => {
      database.close()
      return house.provider.fetch(...request)
    }
    const { pass, until } = fakeTimers()
    const renewed = await until(rotate(house.token, { fetch }), longestRequest)
    expect(renewed).not.toHaveProperty("error")
    expect(renewed["access_token"]).not.toBe(house.token["access_token"])
    await pass(20_000)
    expect(told).toEqual([expect.objectContaining({ operation: "settleLease" })])
    expectSecretFree(house, String(told))
  })

  test("that has given the lease to another meanwhile does not, either", async () => {
    const house = await severalProcesses()
    const { database, rotate, told } = await newProcess(house)
    const fetch: typeof globalThis.fetch = (...request) => {
      database.exec(`update "LatchkeyLease" set holder = 'another'`)
      return house.provider.fetch(...request)
    }
    expect(await rotate(house.token, { fetch })).not.toHaveProperty("error")
    expect(String(told)).toContain("The work took longer than its lease")
    expect(database.prepare(`select result from "LatchkeyLease"`).all()).toEqual([{ result: null }])
  })

  test("holds nothing that could be used without the refresh token", async () => {
    const house = await severalProcesses()
    const { database, rotate } = await newProcess(house)
    const renewed = await rotate(house.token)
    const rows = database.prepare(`select * from "LatchkeyLease"`).all()
    expect(rows).toEqual([expect.objectContaining({ result: expect.stringMatching(/^ey/) })])
    const stored = JSON.stringify(rows)
    expectSecretFree(house, stored)
    // What is not encrypted is encoded at least: neither is there in plain.
    const parts = stored.split(/[^\w-]+/).map((part) => String(Buffer.from(part, "base64url")))
    expectSecretFree(house, parts.join("\n"))
    expect(house.provider.secrets).toContain(renewed["access_token"])
  })

  test("has it for a process that knows the next client secret already", async () => {
    const house = await severalProcesses()
    const [first, second] = [await newProcess(house), await newProcess(house)]
    const renewed = await first.rotate(house.token)
    expect(await second.rotate(house.token, { clientSecret: "the next one" })).toEqual(renewed)
    expect(house.provider.tokenRequests).toHaveLength(1)
  })

  test("that has no leases is refused, at the sign-in already", async () => {
    const { rotation } = await rotating()
    const { rotateAccessToken } = await import("@latchkey/core/jwt")
    const options = { ...rotation, leases: {} as LeaseStore }
    const refused = rotateAccessToken({ token: { expires_at: 9e9 } }, options)
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow("`leases` of `rotateAccessToken` has no `acquireLease`")
    const { acquireLease } = (await newProcess(await severalProcesses())).leases
    const half = { ...rotation, leases: { acquireLease } as LeaseStore }
    await expect(rotateAccessToken({ token: { expires_at: 9e9 } }, half)).rejects.toThrow(
      "`leases` of `rotateAccessToken` has no `settleLease`",
    )
  })
})

/** A promise, and what resolves it. */
function signal(): readonly [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [promise, resolve]
}

/** Tells when somebody else turned out to have the lease. */
function reporting({ acquireLease }: LeaseStore, onHeld: () => void): LeaseStore["acquireLease"] {
  return async (lease) => {
    const answer = await acquireLease(lease)
    if (answer.state === "held") onHeld()
    return answer
  }
}

/** Asserts that a text has none of the tokens, old or new, and not the client's secret. */
function expectSecretFree({ provider, token }: House, text: string): void {
  const secrets = [...provider.secrets, String(token["refresh_token"])]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
}
