import { getRedirectError } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createStoredPasswordApp,
  type PasswordAppConfig,
  password,
  readSessionCookie,
} from "../support/password-app.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")
const day = 86_400

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

const setTime = (seconds: number) => vi.setSystemTime(startTime + seconds * 1000)
const toIsoTime = (seconds: number) => new Date(startTime + seconds * 1000).toISOString()

async function createSignedInBrowser(changes: Partial<PasswordAppConfig> = {}) {
  const app = await createStoredPasswordApp(changes)
  const updateSession = vi.spyOn(app.adapter, "updateSession")
  // The browser does not expire cookies, so the server has to.
  const alice = await app.openSignedInBrowser("ada", { now: () => 0 })
  const token = readSessionCookie(alice)
  return {
    app,
    alice,
    token,
    updateSession,
    async ask() {
      const session = await alice.getSession()
      const set = alice.setCookieHeaders.filter((line) => line.startsWith(sessionCookieName))
      return { session, set }
    },
    async row() {
      const found = await app.adapter.getSessionAndUser(token)
      return found?.session.expires.toISOString()
    },
  }
}

describe("a database session that is not due for renewal", () => {
  test("is read without a write and without Set-Cookie", async () => {
    const { alice, ask, row, updateSession } = await createSignedInBrowser()
    setTime(day - 1)
    expect(await ask()).toMatchObject({ session: { expires: toIsoTime(30 * day) }, set: [] })
    expect(alice.setCookieHeaders).toEqual([])
    expect(updateSession).not.toHaveBeenCalled()
    expect(await row()).toBe(toIsoTime(30 * day))
  })
})

describe("a database session that is due for renewal", () => {
  test.each([
    ["by default after a day", {}, day, 30 * day],
    ["after `updateAge`", { updateAge: 60, maxAge: 3600 }, 60, 3600],
    ["long after", { updateAge: 60, maxAge: 3600 }, 3599, 3600],
  ])("%s is extended by `maxAge`, once", async (_, session, after, maxAge) => {
    const { ask, row, token, alice, updateSession } = await createSignedInBrowser({ session })
    if (after < 3000 || maxAge > 3600) {
      setTime(after - 1)
      expect((await ask()).set).toEqual([])
    }
    setTime(after)
    const { session: shown, set } = await ask()
    // The response has the expiry before the renewal, as in Auth.js.
    expect(shown).toMatchObject({ user: { name: "ada" }, expires: toIsoTime(maxAge) })
    const expires = new Date(startTime + (after + maxAge) * 1000)
    expect(set).toEqual([expect.stringContaining(`Expires=${expires.toUTCString()}`)])
    expect(readSessionCookie(alice)).toBe(token)
    expect(await row()).toBe(expires.toISOString())
    setTime(after + 1)
    expect((await ask()).set).toEqual([])
    expect(updateSession).toHaveBeenCalledOnce()
    expect(updateSession).toHaveBeenCalledWith({ sessionToken: token, expires })
  })

  test("is extended at every access if `updateAge` is 0", async () => {
    const { ask, row, updateSession } = await createSignedInBrowser({ session: { updateAge: 0 } })
    for (const seconds of [0, 1, 60]) {
      setTime(seconds)
      expect((await ask()).set).toHaveLength(1)
      expect(await row()).toBe(toIsoTime(seconds + 30 * day))
    }
    expect(updateSession).toHaveBeenCalledTimes(3)
  })

  test("is shortened to `maxAge` if `updateAge` is 0 and the row expires later", async () => {
    const { app, token, ask, row } = await createSignedInBrowser({
      session: { updateAge: 0, maxAge: 3600 },
    })
    const expires = new Date(startTime + 30 * day * 1000)
    await app.adapter.updateSession({ sessionToken: token, expires })
    await ask()
    expect(await row()).toBe(toIsoTime(3600))
  })

  test("is extended by twenty concurrent requests, all of which receive it", async () => {
    const { app, alice, token } = await createSignedInBrowser({ session: { updateAge: 60 } })
    setTime(120)
    const headers = { cookie: `${sessionCookieName}=${token}` }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.handle(new Request("https://app.example/auth/session", { headers })),
      ),
    )
    for (const response of responses) {
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ user: { name: "ada" } })
    }
    expect(app.errorCodes).toEqual([])
    expect(app.countRows("Session")).toBe(1)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

test("a session that is ended while it is extended is not returned", async () => {
  const { app, alice, token, ask } = await createSignedInBrowser({ session: { updateAge: 0 } })
  const { updateSession } = app.adapter
  app.adapter.updateSession = async (session) => {
    await app.adapter.deleteSession(token)
    return updateSession(session)
  }
  expect((await ask()).session).toBeNull()
  expect(alice.cookies.has(sessionCookieName)).toBe(false)
  expect(app.countRows("Session")).toBe(0)
})

test("a session is extended by an adapter that does not return the row", async () => {
  const { app, ask, row } = await createSignedInBrowser({ session: { updateAge: 0 } })
  const { updateSession } = app.adapter
  app.adapter.updateSession = async (session) => void (await updateSession(session))
  setTime(60)
  expect((await ask()).session).toMatchObject({ user: { name: "ada" } })
  expect(await row()).toBe(toIsoTime(60 + 30 * day))
})

describe("a database session that has expired", () => {
  test("is not returned, and its row and cookie are deleted", async () => {
    const { app, alice, ask } = await createSignedInBrowser({
      session: { maxAge: 1000, updateAge: 100 },
    })
    expect(app.countRows("Session")).toBe(1)
    setTime(1000)
    expect((await ask()).session).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(app.countRows("Session")).toBe(0)
    expect(app.errorCodes).toEqual([])
  })

  test("is valid until the moment of its expiry", async () => {
    const { ask } = await createSignedInBrowser({ session: { maxAge: 1000, updateAge: 5000 } })
    vi.setSystemTime(startTime + 999_999)
    expect((await ask()).session).toMatchObject({ expires: toIsoTime(1000) })
  })

  test("is not returned even if the row cannot be deleted", async () => {
    const { app, ask } = await createSignedInBrowser({ session: { maxAge: 1000 } })
    app.adapter.deleteSession = () => Promise.reject<null>(new Error("read-only"))
    setTime(2000)
    expect((await ask()).session).toBeNull()
    expect(app.errorCodes).toEqual(["AdapterError"])
  })
})

describe("a session cookie without a row", () => {
  test("is invalid, and is deleted", async () => {
    const { app, alice, token, ask } = await createSignedInBrowser()
    await app.adapter.deleteSession(token)
    expect((await ask()).session).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    // A sign-out in another browser is not an error.
    expect(app.errorCodes).toEqual([])
  })

  test("is invalid if its user was deleted", async () => {
    const { app, alice, ask } = await createSignedInBrowser()
    app.database.exec("pragma foreign_keys = off")
    app.database.exec(`delete from "User" where id = 'user-ada'`)
    expect(app.countRows("Session")).toBe(1)
    expect((await ask()).session).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })

  test("is not looked up if it is too long", async () => {
    const app = await createStoredPasswordApp()
    const getSessionAndUser = vi.spyOn(app.adapter, "getSessionAndUser")
    const mallory = app.openBrowser()
    mallory.cookies.setUnchecked(
      mallory.origin,
      `${sessionCookieName}=${"x".repeat(5000)}; Path=/; Secure`,
    )
    expect(await mallory.getSession()).toBeNull()
    expect(getSessionAndUser).not.toHaveBeenCalled()
    expect(mallory.cookies.has(sessionCookieName)).toBe(false)
  })
})

describe("the token of a database session", () => {
  test("is random: at least 128 bits, never the same", async () => {
    const app = await createStoredPasswordApp()
    const tokens = new Set<string>()
    for (let i = 0; i < 20; i++) tokens.add(readSessionCookie(await app.openSignedInBrowser()))
    expect(tokens.size).toBe(20)
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/)
  })

  test("is returned by `generateSessionToken`", async () => {
    let count = 0
    const generateSessionToken = () => `made-${++count}`
    const app = await createStoredPasswordApp({ session: { generateSessionToken } })
    const alice = await app.openSignedInBrowser()
    expect(readSessionCookie(alice)).toBe("made-1")
    expect(await app.adapter.getSessionAndUser("made-1")).not.toBeNull()
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test.each<[string, () => unknown]>([
    ["returns an empty text", () => ""],
    ["returns undefined", () => undefined],
    ["returns a number", () => 7],
    ["rejects", () => Promise.reject(new Error("no random bytes"))],
    ["returns a text of 5000 characters", () => "x".repeat(5000)],
  ])("for which `generateSessionToken` %s signs nobody in", async (_, generate) => {
    const app = await createStoredPasswordApp({
      session: { generateSessionToken: generate as () => string },
    })
    const alice = app.openBrowser()
    const response = await alice.signIn("credentials", { name: "ada", password })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(app.countRows("Session")).toBe(0)
    expect(await alice.getSession()).toBeNull()
  })

  test("is looked up once per response", async () => {
    const { app, alice } = await createSignedInBrowser()
    const getSessionAndUser = vi.spyOn(app.adapter, "getSessionAndUser")
    await alice.getSession()
    expect(getSessionAndUser).toHaveBeenCalledOnce()
  })
})
