/** An error after the `jwt` callback keeps the changed token, which may exist nowhere else, and grants no access. */
import { createAuth, type OnFault } from "@latchkey/core"
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
    ["into several cookies", 0, 9000],
    ["from several cookies into one", 9000, 0],
  ])("loses nothing of it: %s", async (_, before, after) => {
    const { state, callbacks } = createRotatingCallbacks()
    state.size = before
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    Object.assign(state, { size: after, fault: throwDatabaseError })
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(await readClaims(alice)).toMatchObject({ generation: 2, sub: "user-ada" })
    state.fault = () => {}
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("sends the browser no cookie where nothing changed", async () => {
    const alice = await createPasswordApp({
      callbacks: { session: throwDatabaseError },
    }).openSignedInBrowser()
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("or never answers, keeps nothing: meanwhile somebody else may have signed in", async () => {
    const { state, callbacks } = createRotatingCallbacks()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    state.fault = () => new Promise<void>(() => undefined) as never
    const wait = globalThis.setTimeout
    const soon = (run: () => void, delay?: number) => wait(run, delay === 30_000 ? 100 : delay)
    vi.stubGlobal("setTimeout", Object.assign(soon, wait))
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("seals a token once, and again where the other callback changed it, too", async () => {
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

  test("leaves the session as it was where it refuses an update", async () => {
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

describe("code that asks for the session", () => {
  async function asked(onFault: OnFault) {
    const { state, callbacks } = createRotatingCallbacks()
    const { config, openSignedInBrowser } = createPasswordApp({ callbacks })
    const cookie = `${sessionCookieName}=${readSessionCookie(await openSignedInBrowser())}`
    state.fault = throwDatabaseError
    const headers = new Headers({ cookie })
    return createAuth(config).session(headers, "https://app.example/", onFault)
  }

  test("gets the cookies along with the fault", async () => {
    const names: string[] = []
    const response = asked((cookies) => void names.push(...cookies.map(({ name }) => name)))
    await expect(response).rejects.toMatchObject({ type: "JWTSessionError" })
    expect(names).toEqual([sessionCookieName])
  })

  test("hears of the fault, though its own answer is on its way", async () => {
    const late = () => {
      throw new Error("headers are sent")
    }
    await expect(asked(late)).rejects.toMatchObject({ type: "JWTSessionError" })
    // A rejection that nobody awaits must not end the process either.
    await expect(asked(async () => late())).rejects.toMatchObject({ type: "JWTSessionError" })
  })
})

describe("when an account is added", () => {
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
    const createAnswer = () => alice.open(provider.approve(authorizationUrl))
    return { app, alice, provider, answer: createAnswer, state, callbacks }
  }

  test("a refusal keeps what the callback changed", async () => {
    const { app, alice, provider, answer: createAnswer, state } = await linking()
    await app.adapter.linkAccount({
      userId: "user-bob",
      type: "oidc",
      provider: provider.id,
      providerAccountId: "second",
    })
    const { generation } = state
    expect(getRedirectError(await createAnswer())).toBe("OAuthAccountNotLinked")
    expect(state.generation).toBeGreaterThan(generation)
    expect(await readClaims(alice)).toMatchObject({ generation: state.generation, sub: "user-ada" })
  })

  test("so does a new session that cannot begin", async () => {
    const { alice, answer: createAnswer, state, callbacks } = await linking()
    const { jwt } = callbacks
    callbacks.jwt = (params) => (params.trigger ? throwDatabaseError() : (jwt?.(params) ?? null))
    expect(getRedirectError(await createAnswer())).toBe("Configuration")
    expect(await readClaims(alice)).toMatchObject({ generation: state.generation, sub: "user-ada" })
  })
})
