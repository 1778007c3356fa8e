import type { AuthRequest } from "@latchkey/core"
import { SqlAdapter } from "@latchkey/sql"
import { withFrozenTime } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { useFakeTimers } from "../support/fake-timers.ts"
import { openMigratedDatabase } from "../support/migrated-database.ts"
import { createProviderTokenApp, tokenLifetime } from "../support/provider-token-app.ts"
import { createSessionTokenApp, type ProcessOptions } from "../support/session-token-app.ts"

/** Lifetime of refreshed tokens in seconds: shorter than the results of refreshes are kept. */
const shortLifetime = 30
/** In seconds: less than that lifetime. */
const refreshBefore = 10
const invalidGrant = () => Response.json({ error: "invalid_grant" }, { status: 400 })

type SessionTokenApp = Awaited<ReturnType<typeof createSessionTokenApp>>

/** A session whose access token has expired; later ones are valid for a short time. */
async function createExpiredSession(changes: Parameters<typeof createSessionTokenApp>[0] = {}) {
  const app = await createSessionTokenApp(changes)
  await app.alice.signIn(app.first)
  app.first.clearRequests()
  app.first.injectFaults({ expiresIn: shortLifetime })
  const begin = Date.now() + tokenLifetime * 1000
  return {
    ...app,
    /** Gets a token after so many lifetimes of the refreshed ones, and asserts that it has not expired. */
    async getFreshToken(lifetimes: number, request?: AuthRequest, options?: ProcessOptions) {
      const now = begin + lifetimes * shortLifetime * 1000
      const run = () => app.getToken("first", request, { refreshBefore, ...options })
      const token = await withFrozenTime(now, run)
      expect(token.expiresAt).toBeGreaterThan(now / 1000)
      return token.accessToken
    },
    /** Runs a function after so many lifetimes of the refreshed tokens. */
    later: <T>(lifetimes: number, run: () => Promise<T>) =>
      withFrozenTime(begin + lifetimes * shortLifetime * 1000, run),
  }
}

/** A process simulated within this one: another copy of the library. */
async function loadProcess({ config, first }: SessionTokenApp): Promise<ProcessOptions> {
  vi.resetModules()
  const { createAuth, customFetch } = await import("@latchkey/core")
  const providers = [{ ...first.asOidc(), [customFetch]: first.fetch }]
  return { process: createAuth({ ...config, providers }) }
}

/** Returns the error that a promise rejects with. */
const catchError = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("must reject"),
    (error: unknown) => error,
  )

describe("an older session cookie that comes back after a refresh", () => {
  test.each([
    ["without leases", () => ({})],
    ["with leases", () => ({ leases: SqlAdapter(openMigratedDatabase()) })],
  ])("brings no expired token back, nor does the newest one then, %s", async (_, getChanges) => {
    const { first, createRequest, getFreshToken } = await createExpiredSession(getChanges())
    const old = createRequest()
    const tokens = [await getFreshToken(0)]
    const lost = createRequest()
    tokens.push(await getFreshToken(1, old))
    const newest = createRequest()
    expect(await getFreshToken(1, lost)).toBe(tokens[1])
    expect(await getFreshToken(1, newest)).toBe(tokens[1])
    tokens.push(await getFreshToken(2, newest))
    for (const request of [old, lost, newest])
      expect(await getFreshToken(2, request)).toBe(tokens[2])
    expect(new Set(tokens).size).toBe(3)
    expect(first.tokenRequests).toHaveLength(3)
  })

  test("is followed to the newest tokens by other processes, with leases", async () => {
    const app = await createExpiredSession({ leases: SqlAdapter(openMigratedDatabase()) })
    const { first, createRequest, getFreshToken } = app
    const [one, two, three] = [
      await loadProcess(app),
      await loadProcess(app),
      await loadProcess(app),
    ]
    const old = createRequest()
    await getFreshToken(0, old, one)
    const lost = createRequest()
    const token = await getFreshToken(1, old, two)
    const newest = createRequest()
    for (const process of [one, two, three])
      for (const request of [old, lost, newest])
        expect(await getFreshToken(1, request, process)).toBe(token)
    expect(await getFreshToken(2, newest, three)).not.toBe(token)
    expect(first.tokenRequests).toHaveLength(3)
  })

  test("is followed to the newest tokens by concurrent requests", async () => {
    const { first, auth, createRequest, getFreshToken, later } = await createExpiredSession()
    const old = createRequest()
    await getFreshToken(0)
    const requests = Array.from({ length: 20 }, (_, index) => (index % 2 ? createRequest() : old))
    const tokens = await later(1, () =>
      Promise.all(
        requests.map((request) => auth.getAccessToken(request, "first", { refreshBefore })),
      ),
    )
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
    expect(first.tokenRequests).toHaveLength(2)
  })

  test.each([
    ["without leases", () => ({})],
    ["with leases", () => ({ leases: SqlAdapter(openMigratedDatabase()) })],
  ])("is followed over any number of generations, %s", async (_, getChanges) => {
    const { first, createRequest, getFreshToken } = await createExpiredSession(getChanges())
    const old = createRequest()
    const generations = Array.from({ length: 9 }, (_, index) => index)
    for (const generation of generations) await getFreshToken(generation)
    await getFreshToken(generations.length, old)
    expect(first.tokenRequests).toHaveLength(generations.length + 1)
  })

  test("brings only the newest tokens of other providers back into the cookie", async () => {
    const { alice, first, second, createRequest, getToken, getFreshToken, later } =
      await createExpiredSession()
    await alice.open(second.approve(await alice.startSignIn("second", { link: "true" })).url)
    const old = createRequest()
    await getFreshToken(0)
    const token = await getFreshToken(1)
    await later(1, () => getToken("second", old, { refreshBefore }))
    first.clearRequests()
    const { cookieCount, accessToken } = await later(1, () =>
      getToken("first", undefined, { refreshBefore }),
    )
    expect({ cookieCount, accessToken }).toEqual({ cookieCount: 0, accessToken: token })
    expect(first.tokenRequests).toEqual([])
  })
})

describe("a refresh that fails after an older cookie came back", () => {
  test.each([
    ["is refused", invalidGrant, true],
    ["finds the provider failing", () => new Response("busy", { status: 503 }), false],
  ])("is an error if it %s, and is tried once", async (_, respond, needsSignIn) => {
    const { first, createRequest, getFreshToken } = await createExpiredSession()
    const old = createRequest()
    await getFreshToken(0)
    first.clearRequests()
    first.overrideEndpoint("token", respond)
    for (const request of [old, createRequest()]) {
      await expect(getFreshToken(1, request)).rejects.toMatchObject({
        type: "AccessTokenError",
        needsSignIn,
      })
    }
    expect(first.tokenRequests).toHaveLength(2)
    first.clearFaults()
    await getFreshToken(1, old)
  })
})

describe("an access token is never returned after it has expired", () => {
  test("if it expires while a request waits for the next one", async () => {
    const { auth, first, alice, createRequest } = await createSessionTokenApp()
    const { advanceUntil } = useFakeTimers()
    await alice.signIn(first)
    vi.setSystemTime(Date.now() + (tokenLifetime - 2) * 1000)
    first.overrideEndpoint("token", () => new Promise(() => undefined))
    const waiting = auth.getAccessToken(createRequest(), "first")
    expect(await advanceUntil(catchError(waiting), 30_000)).toMatchObject({
      type: "AccessTokenError",
      needsSignIn: false,
      message: expect.stringContaining("could not be refreshed"),
    })
  })

  test("if it expires before the request receives it, and is requested once", async () => {
    const { advanceUntil } = useFakeTimers()
    const sql = SqlAdapter(openMigratedDatabase())
    const { auth, first, alice, createRequest } = await createSessionTokenApp({
      leases: {
        acquireLease: sql.acquireLease,
        releaseLease: sql.releaseLease,
        async completeLease(lease) {
          const isCompleted = await sql.completeLease(lease)
          vi.setSystemTime(Date.now() + 2000)
          return isCompleted
        },
      },
    })
    await alice.signIn(first)
    first.clearRequests()
    first.injectFaults({ expiresIn: 1 })
    vi.setSystemTime(Date.now() + tokenLifetime * 1000)
    const get = () => auth.getAccessToken(createRequest(), "first")
    const error = await advanceUntil(catchError(get()), 30_000)
    expect(error).toMatchObject({ type: "AccessTokenError", needsSignIn: false })
    expect(first.tokenRequests).toHaveLength(1)
    first.clearFaults()
    expect((await advanceUntil(get(), 30_000)).expiresAt).toBeGreaterThan(Date.now() / 1000)
    expect(first.tokenRequests).toHaveLength(2)
  })

  test("if the provider returns the same one with another lifetime", async () => {
    const { first, alice, getToken } = await createSessionTokenApp()
    const { advance } = useFakeTimers()
    await alice.signIn(first)
    const { accessToken } = await getToken("first")
    vi.setSystemTime(Date.now() + (tokenLifetime - 1) * 1000)
    first.overrideEndpoint("token", () =>
      Response.json({ access_token: accessToken, token_type: "bearer", expires_in: 5 }),
    )
    const extended = await getToken("first")
    expect(extended).toMatchObject({ accessToken, expiresAt: Math.floor(Date.now() / 1000) + 5 })
    await advance(6000)
    first.clearFaults()
    const next = await getToken("first")
    expect(next.accessToken).not.toBe(accessToken)
    expect(next.expiresAt).toBeGreaterThan(Date.now() / 1000)
  })
})

/** A signed-in user whose access token has expired, and whose database accepts no tokens for now. */
async function createFailingDatabase(expiresIn: number) {
  const database = openMigratedDatabase()
  const adapter = SqlAdapter(database)
  let isFailing = false
  const updateAccount: typeof adapter.updateAccount = async (account) => {
    if (isFailing) throw new Error("read-only")
    return adapter.updateAccount(account)
  }
  const app = await createProviderTokenApp({ config: { adapter: { ...adapter, updateAccount } } })
  const readAccount = () => database.prepare(`select * from "Account"`).get() ?? {}
  const userId = String(readAccount()["userId"])
  const { advance, advanceUntil } = useFakeTimers()
  app.provider.injectFaults({ expiresIn })
  vi.setSystemTime(Date.now() + tokenLifetime * 1000)
  isFailing = true
  return {
    provider: app.provider,
    readAccount,
    advance,
    signInAgain: async () => {
      app.provider.clearFaults()
      await app.alice.signIn(app.provider)
    },
    recover: () => {
      isFailing = false
    },
    getToken: () => advanceUntil(app.auth.getAccessToken({ userId }, "scripted"), 30_000),
  }
}

describe("tokens of an account that could not be stored", () => {
  test("are refreshed when they have expired, and what follows them is stored", async () => {
    const { provider, readAccount, recover, getToken } = await createFailingDatabase(shortLifetime)
    const { accessToken } = await getToken()
    vi.setSystemTime(Date.now() + shortLifetime * 1000)
    recover()
    const next = await getToken()
    expect(next.accessToken).not.toBe(accessToken)
    expect(next.expiresAt).toBeGreaterThan(Date.now() / 1000)
    expect(readAccount()).toMatchObject({
      access_token: next.accessToken,
      expires_at: next.expiresAt,
    })
    expect(provider.tokenRequests).toHaveLength(2)
  })

  test("are stored by a later call once the database works again", async () => {
    const { provider, readAccount, advance, recover, getToken } =
      await createFailingDatabase(tokenLifetime)
    const { accessToken } = await getToken()
    await advance(60_000) // nobody tries to store them any more
    recover()
    expect(readAccount()["access_token"]).not.toBe(accessToken)
    expect((await getToken()).accessToken).toBe(accessToken)
    expect(readAccount()["access_token"]).toBe(accessToken)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("do not replace those of another sign-in, which are returned", async () => {
    const { provider, readAccount, advance, recover, getToken, signInAgain } =
      await createFailingDatabase(shortLifetime)
    await getToken()
    await advance(60_000)
    recover()
    await signInAgain()
    const stored = readAccount()
    provider.clearRequests()
    expect((await getToken()).accessToken).toBe(stored["access_token"])
    expect(readAccount()).toEqual(stored)
    expect(provider.tokenRequests).toEqual([])
  })
})
