import type { LeaseStore } from "@latchkey/core/adapters"
import { transportFaults, withFrozenTime } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { useFakeTimers } from "../support/fake-timers.ts"
import { expectNoSecretsLogged } from "../support/oauth-app.ts"
import {
  createRefreshSetup,
  expireAccessToken,
  forkRotationProcess,
  loadSeparateLibrary,
  type RefreshSetup,
} from "../support/refresh-processes.ts"
import { createRotatingApp, readToken, secondsUntilExpired } from "../support/rotating-app.ts"

const failedRefresh = { error: "RefreshTokenError" }
/** In milliseconds. */
const requestTimeout = 30_000

describe("an access token that several processes refresh with leases", () => {
  test("is refreshed once per generation by four processes with 25 requests each", async () => {
    const app = await createRefreshSetup()
    const { provider } = app
    const processes = await Promise.all([1, 2, 3, 4].map(() => forkRotationProcess(app)))
    let { token } = app
    for (const generation of [1, 2, 3]) {
      const responses = await Promise.all(processes.map(({ rotate }) => rotate(token)))
      const [renewed = {}, ...others] = responses.flat()
      expect(others).toHaveLength(99)
      for (const other of others) expect(other).toEqual(renewed)
      expect(renewed).not.toHaveProperty("error")
      expect(renewed["access_token"]).not.toBe(token["access_token"])
      expect(renewed["refresh_token"]).not.toBe(token["refresh_token"])
      expect(provider.tokenRequests).toHaveLength(generation)
      token = expireAccessToken(renewed)
    }
  })

  test("is the one of the process that refreshed it, even for a request minutes later", async () => {
    const app = await createRefreshSetup()
    const [first, second] = [await loadSeparateLibrary(app), await loadSeparateLibrary(app)]
    const renewed = await first.rotate(app.token)
    const late = withFrozenTime(Date.now() + 290_000, () => second.rotate(app.token))
    expect(await late).toEqual(renewed)
    expect(app.provider.tokenRequests).toHaveLength(1)
    expect([...first.reported, ...second.reported]).toEqual([])
  })

  test("is refreshed by each process without leases, which the provider detects as token theft", async () => {
    const app = await createRefreshSetup()
    const [first, second] = [await loadSeparateLibrary(app), await loadSeparateLibrary(app)]
    const { token, rotation } = app
    expect(await first.rotateAccessToken({ token }, rotation)).not.toHaveProperty("error")
    expect(await second.rotateAccessToken({ token }, rotation)).toMatchObject(failedRefresh)
    expect(app.provider.tokenRequests).toHaveLength(2)
  })

  test("is refreshed by the next process if the first one fails", async () => {
    const app = await createRefreshSetup()
    const [first, second] = [await loadSeparateLibrary(app), await loadSeparateLibrary(app)]
    const [isAsked, asked] = createSignal()
    const [isWaiting, waiting] = createSignal()
    app.provider.overrideEndpoint("token", async () => {
      asked()
      await isWaiting
      app.provider.clearFaults()
      return new Response("busy", { status: 503 })
    })
    const losing = first.rotate(app.token)
    await isAsked
    const leases = { ...second.leases, acquireLease: reportHeldLease(second.leases, waiting) }
    const renewed = await second.rotate(app.token, { leases })
    expect(await losing).toMatchObject({
      ...failedRefresh,
      refresh_token: app.token["refresh_token"],
    })
    expect(renewed).not.toHaveProperty("error")
    expect(app.provider.tokenRequests).toHaveLength(2)
  })

  test("waits for a killed process no longer than a request can take, and is refreshed later", async () => {
    const app = await createRefreshSetup()
    const { provider, token } = app
    const [isAsked, asked] = createSignal()
    provider.overrideEndpoint("token", (request, honest) => {
      asked()
      return transportFaults.hang(request, honest)
    })
    const doomed = await forkRotationProcess(app)
    doomed.begin(token)
    await isAsked
    await doomed.kill()
    provider.clearFaults()
    const { rotate, reported } = await loadSeparateLibrary(app)
    const { advance, advanceUntil } = useFakeTimers()
    const waiting = advanceUntil(rotate(token), requestTimeout)
    expect(await waiting).toEqual({ ...token, ...failedRefresh })
    expect(String(reported)).toContain("Another process did not finish within 15 s")
    expect(provider.tokenRequests).toHaveLength(1)
    await advance(5_000)
    expect(await advanceUntil(rotate(token), requestTimeout)).not.toHaveProperty("error")
    expect(provider.tokenRequests).toHaveLength(2)
  })
})

describe("a lease store", () => {
  test("that is unavailable leaves the session unchanged, and no token request is sent", async () => {
    const app = await createRefreshSetup()
    const { database, leases } = await loadSeparateLibrary(app)
    database.close()
    const reported: unknown[] = []
    const onError = (error: unknown): void => void reported.push(error)
    const { alice, provider, app: testApp } = await createRotatingApp({}, { leases, onError })
    const before = await readToken(alice)
    expect(await readToken(alice, secondsUntilExpired)).toMatchObject({
      email: "ada@example.com",
      access_token: before["access_token"],
      refresh_token: before["refresh_token"],
      ...failedRefresh,
    })
    expect(reported).toEqual([expect.objectContaining({ operation: "acquireLease" })])
    expect(provider.tokenRequests).toEqual([])
    expectNoSecretsLogged(testApp, provider)
  })

  test("that granted a lease, but whose response was lost, is asked again", async () => {
    const app = await createRefreshSetup()
    const { leases, rotate, reported } = await loadSeparateLibrary(app)
    const acquireLease = vi.fn(leases.acquireLease).mockImplementationOnce(async (lease) => {
      await leases.acquireLease(lease)
      throw new Error("connection lost")
    })
    const renewed = await rotate(app.token, { leases: { ...leases, acquireLease } })
    expect(renewed).not.toHaveProperty("error")
    expect(acquireLease).toHaveBeenCalledTimes(2)
    expect(reported).toEqual([])
  })

  test("that granted a lease, but whose response came late, is asked again", async () => {
    const app = await createRefreshSetup()
    const { leases, rotate, reported } = await loadSeparateLibrary(app)
    vi.useFakeTimers({ toFake: ["Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const acquireLease = vi.fn(leases.acquireLease).mockImplementationOnce(async (lease) => {
      const status = await leases.acquireLease(lease)
      vi.setSystemTime(Date.now() + 5000) // the process was suspended: no timer ran
      return status
    })
    const renewed = await rotate(app.token, { leases: { ...leases, acquireLease } })
    expect(renewed).not.toHaveProperty("error")
    expect(acquireLease).toHaveBeenCalledTimes(2)
    expect(reported).toEqual([])
  })

  test("that fails during the refresh does not affect the process that refreshed", async () => {
    const app = await createRefreshSetup()
    const { database, rotate, reported } = await loadSeparateLibrary(app)
    const fetch: typeof globalThis.fetch = (...request) => {
      database.close()
      return app.provider.fetch(...request)
    }
    const { advance, advanceUntil } = useFakeTimers()
    const renewed = await advanceUntil(rotate(app.token, { fetch }), requestTimeout)
    expect(renewed).not.toHaveProperty("error")
    expect(renewed["access_token"]).not.toBe(app.token["access_token"])
    await advance(20_000)
    expect(reported).toEqual([expect.objectContaining({ operation: "completeLease" })])
    expectNoSecrets(app, String(reported))
  })

  test("that has given the lease to another process does not affect it either", async () => {
    const app = await createRefreshSetup()
    const { database, rotate, reported } = await loadSeparateLibrary(app)
    const fetch: typeof globalThis.fetch = (...request) => {
      database.exec(`update "LatchkeyLease" set holder = 'another'`)
      return app.provider.fetch(...request)
    }
    expect(await rotate(app.token, { fetch })).not.toHaveProperty("error")
    expect(String(reported)).toContain("The task took longer than its lease")
    expect(database.prepare(`select result from "LatchkeyLease"`).all()).toEqual([{ result: null }])
  })

  test("contains nothing that is usable without the refresh token", async () => {
    const app = await createRefreshSetup()
    const { database, rotate } = await loadSeparateLibrary(app)
    const renewed = await rotate(app.token)
    const rows = database.prepare(`select * from "LatchkeyLease"`).all()
    expect(rows).toEqual([expect.objectContaining({ result: expect.stringMatching(/^ey/) })])
    const stored = JSON.stringify(rows)
    expectNoSecrets(app, stored)
    // What is not encrypted is at least encoded: no token appears in its decoded form either.
    const parts = stored.split(/[^\w-]+/).map((part) => String(Buffer.from(part, "base64url")))
    expectNoSecrets(app, parts.join("\n"))
    expect(app.provider.secrets).toContain(renewed["access_token"])
  })

  test("returns the result to a process that already has the next client secret", async () => {
    const app = await createRefreshSetup()
    const [first, second] = [await loadSeparateLibrary(app), await loadSeparateLibrary(app)]
    const renewed = await first.rotate(app.token)
    expect(await second.rotate(app.token, { clientSecret: "the next one" })).toEqual(renewed)
    expect(app.provider.tokenRequests).toHaveLength(1)
  })

  test("without the methods for leases is refused at sign-in", async () => {
    const { rotation } = await createRotatingApp()
    const { rotateAccessToken } = await import("@latchkey/core/jwt")
    const options = { ...rotation, leases: {} as LeaseStore }
    const refused = rotateAccessToken({ token: { expires_at: 9e9 } }, options)
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow("`leases` of `rotateAccessToken` has no `acquireLease`")
    const { acquireLease } = (await loadSeparateLibrary(await createRefreshSetup())).leases
    const half = { ...rotation, leases: { acquireLease } as LeaseStore }
    await expect(rotateAccessToken({ token: { expires_at: 9e9 } }, half)).rejects.toThrow(
      "`leases` of `rotateAccessToken` has no `completeLease`",
    )
  })
})

/** A promise with the function that resolves it. */
function createSignal(): readonly [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [promise, resolve]
}

/** Resolves when another holder has the lease. */
function reportHeldLease(
  { acquireLease }: LeaseStore,
  onHeld: () => void,
): LeaseStore["acquireLease"] {
  return async (lease) => {
    const response = await acquireLease(lease)
    if (response.state === "held") onHeld()
    return response
  }
}

/** Asserts that a text contains no token, old or new, and no client secret. */
function expectNoSecrets({ provider, token }: RefreshSetup, text: string): void {
  const secrets = [...provider.secrets, String(token["refresh_token"])]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
}
