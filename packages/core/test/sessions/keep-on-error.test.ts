/** An error after the `jwt` callback keeps the changed token, which may exist nowhere else, and grants no access. */
import { createAuth, getErrorCookies } from "@latchkey/core"
import { SessionTooLarge } from "@latchkey/core/errors"
import { decode, encode as encodeToken } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { createScriptedProvider, getRedirectError, type TestBrowser } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const readClaims = (alice: TestBrowser) =>
  decode({ token: readSessionCookie(alice), secret, salt: sessionCookieName })

/** Callbacks that change the token with each access. `session` calls `fault`, which may throw. */
function createRotatingCallbacks() {
  const state = { generation: 0, size: 0, fault: () => {} }
  const callbacks: NonNullable<PasswordAppConfig["callbacks"]> = {
    jwt: ({ token, trigger, session }) => {
      if (trigger === "update") return { ...token, ...(session as JWT) }
      return { ...token, generation: ++state.generation, filling: "x".repeat(state.size) }
    },
    async session({ session }) {
      await state.fault()
      return session
    },
  }
  return { state, callbacks }
}

const throwDatabaseError = (): never => {
  throw new Error("the database is down")
}

describe("a `session` callback that fails after the `jwt` callback changed the token", () => {
  test.each([
    ["into one cookie", 0, 0],
    ["into several cookies", 0, 8000],
    ["from several cookies into one", 8000, 0],
  ])("does not lose the changes: %s", async (_, before, after) => {
    const { state, callbacks } = createRotatingCallbacks()
    state.size = before
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    Object.assign(state, { size: after, fault: throwDatabaseError })
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(await readClaims(alice)).toMatchObject({ generation: 2, sub: "user-ada" })
    state.fault = () => {}
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("sets no cookie if nothing changed", async () => {
    const alice = await createPasswordApp({
      callbacks: { session: throwDatabaseError },
    }).openSignedInBrowser()
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("keeps nothing if it times out, because another user may have signed in meanwhile", async () => {
    const { state, callbacks } = createRotatingCallbacks()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    state.fault = () => new Promise<void>(() => undefined) as never
    const wait = globalThis.setTimeout
    const soon = (run: () => void, delay?: number) => wait(run, delay === 30_000 ? 100 : delay)
    vi.stubGlobal("setTimeout", Object.assign(soon, wait))
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("encrypts a token once, and again if the `session` callback changed it, too", async () => {
    const encode = vi.fn(encodeToken)
    const { callbacks } = createRotatingCallbacks()
    const { session } = callbacks
    const alice = await createPasswordApp({
      callbacks,
      jwt: { encode, decode },
    }).openSignedInBrowser()
    encode.mockClear()
    await alice.getSession()
    expect(encode).toHaveBeenCalledTimes(1)
    callbacks.session = (params) => {
      params.token["seen"] = true
      return session?.(params) ?? params.session
    }
    await alice.getSession()
    expect(await readClaims(alice)).toMatchObject({ generation: 3, seen: true })
  })

  test("leaves the session unchanged if it refuses an update", async () => {
    const { state, callbacks } = createRotatingCallbacks()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    await alice.getCsrfToken()
    const before = readSessionCookie(alice)
    state.fault = throwDatabaseError
    expect((await alice.updateSession({ role: "admin" })).status).toBe(503)
    expect(readSessionCookie(alice)).toBe(before)
    state.fault = () => {}
    expect((await alice.updateSession({ role: "admin" })).status).toBe(200)
    expect(await readClaims(alice)).toMatchObject({ role: "admin" })
  })
})

describe("application code that reads the session", () => {
  async function readSession() {
    const { state, callbacks } = createRotatingCallbacks()
    const { config, openSignedInBrowser } = createPasswordApp({ callbacks })
    const cookie = `${sessionCookieName}=${readSessionCookie(await openSignedInBrowser())}`
    state.fault = throwDatabaseError
    const headers = new Headers({ cookie })
    return createAuth(config).getSession({ headers, url: "https://app.example/" })
  }

  test("receives the cookies together with the error", async () => {
    const error: unknown = await readSession().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ type: "JWTSessionError" })
    expect(getErrorCookies(error).map(({ name }) => name)).toEqual([sessionCookieName])
    expect(JSON.stringify(error)).not.toContain(getErrorCookies(error)[0]?.value)
  })
})

test("one error for two requests does not give one of them the cookies of the other", async () => {
  const kept = new SessionTooLarge("kept by the application")
  const changes = { isChanging: false, isFailing: false }
  const { config, openSignedInBrowser } = createPasswordApp({
    callbacks: {
      jwt: ({ token }) => (changes.isChanging ? { ...token, changed: true } : token),
      session: ({ session }) => {
        if (changes.isFailing) throw kept
        return session
      },
    },
  })
  const readError = async (browser: TestBrowser) => {
    const headers = new Headers({ cookie: `${sessionCookieName}=${readSessionCookie(browser)}` })
    const read = createAuth(config).getSession({ headers, url: "https://app.example/" })
    return read.catch((error: unknown) => error)
  }
  const [alice, bob] = [await openSignedInBrowser(), await openSignedInBrowser()]
  changes.isFailing = true
  const first = await readError(alice)
  changes.isChanging = true
  const second = await readError(bob)
  expect(getErrorCookies(second).map(({ name }) => name)).toEqual([sessionCookieName])
  expect(getErrorCookies(first)).toEqual([])
})

describe("when an account is linked", () => {
  async function linking() {
    const provider = await createScriptedProvider({
      user: { sub: "second", email: "a@second.example" },
    })
    const { state, callbacks } = createRotatingCallbacks()
    const app = await createStoredPasswordApp({
      providers: [...createPasswordApp().config.providers, provider.asOidc()],
      session: { strategy: "jwt" },
      callbacks,
    })
    const alice = await app.openSignedInBrowser()
    const authorizationUrl = await alice.startSignIn(provider, { link: "true" })
    const openCallback = () => alice.open(provider.approve(authorizationUrl))
    return { app, alice, provider, openCallback, state, callbacks }
  }

  test("a refusal keeps the changes of the `jwt` callback", async () => {
    const { app, alice, provider, openCallback, state } = await linking()
    await app.adapter.linkAccount({
      userId: "user-bob",
      type: "oidc",
      provider: provider.id,
      providerAccountId: "second",
    })
    const { generation } = state
    expect(getRedirectError(await openCallback())).toBe("OAuthAccountNotLinked")
    expect(state.generation).toBeGreaterThan(generation)
    expect(await readClaims(alice)).toMatchObject({ generation: state.generation, sub: "user-ada" })
  })

  test("a new session that cannot start keeps them, too", async () => {
    const { alice, openCallback, state, callbacks } = await linking()
    const { jwt } = callbacks
    callbacks.jwt = (params) => (params.trigger ? throwDatabaseError() : (jwt?.(params) ?? null))
    expect(getRedirectError(await openCallback())).toBe("Configuration")
    expect(await readClaims(alice)).toMatchObject({ generation: state.generation, sub: "user-ada" })
  })
})
