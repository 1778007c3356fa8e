/** Idle and absolute limits, and sessions that end with the browser: all of them end on the server. */
import type { JWTDecodeParams, JWTEncodeParams } from "@latchkey/core/jwt"
import { createTestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  signInWithPassword,
} from "../support/password-app.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")
const minute = 60
const hour = 3600
const day = 24 * hour

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

const setTime = (seconds: number) => vi.setSystemTime(startTime + seconds * 1000)

type SessionChanges = NonNullable<PasswordAppConfig["session"]>

const codec = {
  encode: ({ token }: JWTEncodeParams) => {
    const claims = { ...token, iat: Math.floor(Date.now() / 1000) }
    return Buffer.from(JSON.stringify(claims)).toString("base64url")
  },
  decode: ({ token = "" }: JWTDecodeParams) =>
    JSON.parse(Buffer.from(token, "base64url").toString()),
}

const strategies = {
  jwt: async (session: SessionChanges) => createPasswordApp({ session }),
  "jwt with an own codec": async (session: SessionChanges) =>
    createPasswordApp({ session, jwt: codec }),
  database: (session: SessionChanges) => createStoredPasswordApp({ session }),
}

/** An application whose `session` can change, and a browser that never deletes an expired cookie. */
async function createSetup(strategy: keyof typeof strategies, session: SessionChanges) {
  let app = await strategies[strategy](session)
  const browser = createTestBrowser((request) => app.handle(request), { now: () => 0 })
  await signInWithPassword(browser, "ada")
  const readSetCookie = () =>
    browser.setCookieHeaders.filter((line) => line.startsWith(sessionCookieName))
  return {
    browser,
    readSetCookie,
    cookie: () => readSessionCookie(browser),
    /** Whether the session is valid after so many seconds; reading it may renew it. */
    async isValidAt(seconds: number): Promise<boolean> {
      setTime(seconds)
      const headers = { cookie: `${sessionCookieName}=${readSessionCookie(browser)}` }
      if (!(await (await app.handle(new Request(url, { headers }))).json())) return false
      await browser.getSession()
      return true
    },
    /** Restarts the application with other options, and the same database. */
    restart(changes: SessionChanges): void {
      const { config } = app
      app = { ...app, ...createPasswordApp({ ...config, session: changes }) }
    },
    handle: (request: Request) => app.handle(request),
  }
}

const url = "https://app.example/auth/session"

describe.each(Object.keys(strategies) as (keyof typeof strategies)[])("strategy %s", (strategy) => {
  test("a session that is not used for `idleTimeout` ends", async () => {
    const { isValidAt } = await createSetup(strategy, { idleTimeout: hour })
    expect(await isValidAt(hour - 1)).toBe(true)
    expect(await isValidAt(2 * hour - 2)).toBe(true)
    expect(await isValidAt(3 * hour)).toBe(false)
  })

  test("`idleTimeout` also renews sessions that are used, whatever `updateAge` says", async () => {
    const session = { idleTimeout: hour, updateAge: 30 * day }
    const { isValidAt } = await createSetup(strategy, session)
    for (let time = 0; time < day; time += hour - 10 * minute)
      expect(await isValidAt(time)).toBe(true)
  })

  test.each([undefined, 0, minute])(
    "a session ends at `absoluteTimeout`, however often it is used (updateAge %s)",
    async (updateAge) => {
      const session = {
        absoluteTimeout: 2 * hour,
        idleTimeout: hour,
        ...(updateAge !== undefined && { updateAge }),
      }
      const { isValidAt, readSetCookie } = await createSetup(strategy, session)
      for (let time = 0; time < 2 * hour; time += 20 * minute) {
        expect(await isValidAt(time)).toBe(true)
        for (const line of readSetCookie()) {
          const expires = Date.parse(/Expires=([^;]+)/.exec(line)?.[1] ?? "")
          expect(expires).toBeLessThanOrEqual(startTime + 2 * hour * 1000)
        }
      }
      expect(await isValidAt(2 * hour - 1)).toBe(true)
      expect(await isValidAt(2 * hour)).toBe(false)
    },
  )

  test("the session that clients receive does not claim to last beyond the absolute limit", async () => {
    const { browser } = await createSetup(strategy, { absoluteTimeout: 2 * hour, updateAge: 0 })
    setTime(hour)
    for (const _ of [1, 2]) {
      const { expires = "" } = (await browser.getSession()) ?? {}
      expect(Date.parse(expires)).toBeLessThanOrEqual(startTime + 2 * hour * 1000)
    }
  })

  test("an update does not extend a session beyond the absolute limit", async () => {
    const { browser, isValidAt } = await createSetup(strategy, { absoluteTimeout: 2 * hour })
    setTime(hour)
    expect((await browser.updateSession({})).status).toBe(200)
    expect(await isValidAt(2 * hour)).toBe(false)
  })

  test("a shortened limit ends sessions at once", async () => {
    const setup = await createSetup(strategy, { absoluteTimeout: 30 * day })
    expect(await setup.isValidAt(2 * day)).toBe(true)
    setup.restart({ absoluteTimeout: day })
    expect(await setup.isValidAt(2 * day)).toBe(false)
  })

  test("a shortened `idleTimeout` applies at the next use", async () => {
    const setup = await createSetup(strategy, {})
    setup.restart({ idleTimeout: hour })
    expect(await setup.isValidAt(1)).toBe(true)
    expect(await setup.isValidAt(hour + 1)).toBe(false)
  })

  test("a signed-in user who signs in again has a new limit", async () => {
    const { browser, isValidAt } = await createSetup(strategy, { absoluteTimeout: 2 * hour })
    setTime(hour)
    await signInWithPassword(browser, "ada")
    expect(await isValidAt(3 * hour - 1)).toBe(true)
    expect(await isValidAt(3 * hour)).toBe(false)
  })

  test("nothing changes without an option", async () => {
    const { browser, cookie, readSetCookie } = await createSetup(strategy, {})
    expect(readSetCookie()).toEqual([
      expect.stringContaining(`Expires=${new Date(startTime + 30 * day * 1000).toUTCString()}`),
    ])
    if (strategy === "database") expect(cookie()).not.toContain(".")
    if (strategy === "jwt with an own codec")
      expect(
        codec.decode({ token: decodeURIComponent(cookie()), secret: "", salt: "" }),
      ).toHaveProperty("sessionFacts", { id: expect.stringMatching(/^[\w-]{22}$/) })
    setTime(hour)
    await browser.getSession()
    expect(readSetCookie()).toEqual([])
  })

  describe("with `rememberMe`", () => {
    const session: SessionChanges = { rememberMe: { temporaryMaxAge: 2 * hour } }

    test("a session that ends with the browser has a cookie without expiry, also after renewals", async () => {
      const { browser, readSetCookie } = await createSetup(strategy, session)
      const expectTemporary = () => {
        expect(readSetCookie()).toHaveLength(1)
        expect(readSetCookie().join()).not.toMatch(/expires|max-age/i)
      }
      expectTemporary()
      setTime(hour)
      await browser.getSession()
      expectTemporary()
      await browser.updateSession({})
      expectTemporary()
    })

    test("it ends on the server after `temporaryMaxAge` without use", async () => {
      const { isValidAt } = await createSetup(strategy, session)
      expect(await isValidAt(2 * hour - 1)).toBe(true)
      expect(await isValidAt(4 * hour - 2)).toBe(true)
      expect(await isValidAt(6 * hour)).toBe(false)
    })

    test("a shortened `temporaryMaxAge` applies at the next use", async () => {
      const setup = await createSetup(strategy, session)
      setup.restart({ rememberMe: { temporaryMaxAge: hour } })
      expect(await setup.isValidAt(1)).toBe(true)
      expect(await setup.isValidAt(hour + 1)).toBe(false)
    })

    test("`default: true` begins long sessions", async () => {
      const { isValidAt, readSetCookie } = await createSetup(strategy, {
        rememberMe: { default: true },
      })
      expect(readSetCookie().join()).toContain("Expires=")
      expect(await isValidAt(29 * day)).toBe(true)
    })
  })
})

describe("a session from before `absoluteTimeout` was set", () => {
  test("in a cookie ends by the time of its sign-in", async () => {
    const setup = await createSetup("jwt", {})
    expect(await setup.isValidAt(2 * day)).toBe(true)
    setup.restart({ absoluteTimeout: 3 * day })
    expect(await setup.isValidAt(3 * day - 1)).toBe(true)
    expect(await setup.isValidAt(3 * day)).toBe(false)
  })

  test("in a database is not extended any more", async () => {
    const setup = await createSetup("database", {})
    expect(await setup.isValidAt(2 * day)).toBe(true)
    setup.restart({ absoluteTimeout: 3 * day, updateAge: 0 })
    expect(await setup.isValidAt(10 * day)).toBe(true)
    expect(await setup.isValidAt(32 * day - 1)).toBe(true)
    expect(await setup.isValidAt(32 * day)).toBe(false)
  })
})

test("nobody can change the facts in the token of a database session", async () => {
  const { cookie, handle } = await createSetup("database", { absoluteTimeout: hour })
  setTime(2 * hour)
  const now = Math.floor(Date.now() / 1000).toString(36)
  const [token] = cookie().split(".")
  const headers = { cookie: `${sessionCookieName}=${token}.${now}.${now}` }
  const response = await handle(new Request(url, { headers }))
  expect(await response.json()).toBeNull()
})

test("a callback that replaces the token does not lose what limits its session", async () => {
  const app = createPasswordApp({
    session: { absoluteTimeout: hour, rememberMe: true },
    callbacks: {
      jwt: ({ token }) => ({ sub: token.sub ?? "", sessionFacts: {}, signedInAt: 9e9 }),
    },
  })
  const browser = await app.openSignedInBrowser("ada", { now: () => 0 })
  expect(browser.setCookieHeaders.join()).toMatch(/session-token=[^;]+;(?!.*expires)/i)
  setTime(hour - 1)
  expect(await browser.getSession()).not.toBeNull()
  setTime(hour)
  expect(await browser.getSession()).toBeNull()
})
