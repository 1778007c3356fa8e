import { decode } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")
const day = 86_400

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

/** Sets the clock to the given number of seconds after the sign-in. */
const setTime = (seconds: number) => vi.setSystemTime(startTime + seconds * 1000)
const toIsoTime = (seconds: number) => new Date(startTime + seconds * 1000).toISOString()

/** A browser that has just signed in and has all long-lived cookies. */
async function createSignedInBrowser(changes: Partial<PasswordAppConfig> = {}) {
  // The browser does not expire cookies, so the server has to.
  const alice = await createPasswordApp(changes).openSignedInBrowser("ada", { now: () => 0 })
  return {
    alice,
    /** The session, and whether the session cookie was set with it. */
    async ask() {
      const session = await alice.getSession()
      const set = alice.setCookieHeaders.filter((line) => line.startsWith(sessionCookieName))
      return { session, set }
    },
    claims: () => decode({ token: readSessionCookie(alice), secret, salt: sessionCookieName }),
  }
}

describe("a session that is not due for renewal", () => {
  test("is read without Set-Cookie", async () => {
    const { alice, ask } = await createSignedInBrowser()
    const before = readSessionCookie(alice)
    setTime(day - 1)
    expect(await ask()).toMatchObject({ session: { expires: toIsoTime(30 * day) }, set: [] })
    expect(alice.setCookieHeaders).toEqual([])
    expect(readSessionCookie(alice)).toBe(before)
  })

  test("has the expiry of the token, not a later one", async () => {
    const { ask } = await createSignedInBrowser({ session: { maxAge: 1000, updateAge: 500 } })
    setTime(499)
    expect((await ask()).session?.expires).toBe(toIsoTime(1000))
  })
})

describe("a session that is due for renewal", () => {
  test.each([
    ["by default after a day", {}, day, 30 * day],
    ["after `updateAge`", { updateAge: 60 }, 60, 30 * day],
    ["with its own `maxAge`", { updateAge: 60, maxAge: 3600 }, 60, 3600],
    ["long after", { updateAge: 60, maxAge: 3600 }, 3000, 3600],
  ])("%s is re-issued and extended", async (_, session, after, maxAge) => {
    const { alice, ask, claims } = await createSignedInBrowser({ session })
    const before = await claims()
    setTime(after - 1)
    if (after < 3000) expect((await ask()).set).toEqual([])
    setTime(after)
    const response = await ask()
    expect(response.session).toMatchObject({
      user: { name: "ada" },
      expires: toIsoTime(after + maxAge),
    })
    expect(response.set).toHaveLength(1)
    const expires = new Date(startTime + (after + maxAge) * 1000).toUTCString()
    expect(response.set[0]).toContain(`Expires=${expires}`)
    const issued = await claims()
    expect(issued).toMatchObject({ name: "ada", sub: "user-ada", iat: startTime / 1000 + after })
    expect(issued?.exp).toBe(startTime / 1000 + after + maxAge)
    expect(issued?.jti).not.toBe(before?.jti)
    expect((await ask()).set).toEqual([])
    expect(alice.cookies.rejected).toEqual([])
  })

  test("is re-issued at every access if `updateAge` is 0", async () => {
    const { ask } = await createSignedInBrowser({ session: { updateAge: 0 } })
    for (const seconds of [0, 0, 1, 60]) {
      setTime(seconds)
      const { session, set } = await ask()
      expect(set).toHaveLength(1)
      expect(session?.expires).toBe(toIsoTime(seconds + 30 * day))
    }
  })
})

test("a session that is due for renewal is re-issued by twenty concurrent requests, all of which receive it", async () => {
  const { alice, ask } = await createSignedInBrowser({ session: { updateAge: 60 } })
  setTime(120)
  const headers = { cookie: `${sessionCookieName}=${readSessionCookie(alice)}` }
  const request = () => new Request("https://app.example/auth/session", { headers })
  const responses = await Promise.all(Array.from({ length: 20 }, () => alice.app(request())))
  for (const response of responses) {
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ user: { name: "ada" } })
  }
  expect((await ask()).session).toMatchObject({ user: { name: "ada" } })
})

describe("a session expires", () => {
  test("`maxAge` after its last renewal", async () => {
    const { alice, ask } = await createSignedInBrowser({
      session: { maxAge: 1000, updateAge: 100 },
    })
    setTime(900)
    expect((await ask()).session).not.toBeNull()
    setTime(1899)
    expect((await ask()).session?.expires).toBe(toIsoTime(2899))
    setTime(2899 + 16)
    expect((await ask()).session).toBeNull()
    expect(alice.setCookieHeaders.join()).toContain(`${sessionCookieName}=; Max-Age=0`)
    expect((await ask()).session).toBeNull()
  })

  test("without renewal if none is ever due", async () => {
    const { ask } = await createSignedInBrowser({ session: { maxAge: 1000, updateAge: 5000 } })
    setTime(999)
    expect(await ask()).toMatchObject({ session: { expires: toIsoTime(1000) }, set: [] })
    setTime(1016)
    expect((await ask()).session).toBeNull()
  })

  test("after `jwt.maxAge` if that is shorter, which its `expires` shows", async () => {
    const { ask } = await createSignedInBrowser({
      jwt: { maxAge: 100 },
      session: { updateAge: 50 },
    })
    expect((await ask()).session?.expires).toBe(toIsoTime(100))
    setTime(50)
    expect((await ask()).session?.expires).toBe(toIsoTime(150))
    setTime(166)
    expect((await ask()).session).toBeNull()
  })
})

describe("a token that the `jwt` callback changed", () => {
  const withCallback = (jwt: (token: JWT) => JWT) =>
    createSignedInBrowser({
      callbacks: { jwt: ({ token, trigger }) => (trigger ? token : jwt(token)) },
    })

  test("is re-issued immediately, and then not again", async () => {
    const { ask, claims } = await withCallback((token) => ({ ...token, role: "admin" }))
    const { set } = await ask()
    expect(set).toHaveLength(1)
    expect(await claims()).toMatchObject({ role: "admin", name: "ada" })
    expect((await ask()).set).toEqual([])
  })

  test("is re-issued if it was changed in place", async () => {
    const { ask, claims } = await withCallback((token) => {
      token["visits"] = Number(token["visits"] ?? 0) + 1
      return token
    })
    for (const visits of [1, 2, 3]) {
      expect((await ask()).set).toHaveLength(1)
      expect(await claims()).toMatchObject({ visits })
    }
  })

  test("is re-issued if a claim was removed", async () => {
    const { ask, claims } = await withCallback(({ picture: _, ...token }) => token)
    expect((await ask()).set).toHaveLength(1)
    expect(await claims()).not.toHaveProperty("picture")
    expect((await ask()).set).toEqual([])
  })

  test.each([
    ["the same object", (token: JWT) => token],
    ["a copy", (token: JWT) => ({ ...token })],
    ["a copy with values that JSON omits", (token: JWT) => ({ ...token, nothing: undefined })],
  ])("is not re-issued if it is %s", async (_, jwt) => {
    const { ask } = await withCallback(jwt)
    expect((await ask()).set).toEqual([])
  })

  test("is not re-issued again if the callback writes claims in its own order", async () => {
    const { ask } = await withCallback((token) => ({ role: "admin", ...token, zone: 1 }))
    await ask()
    await ask()
    expect((await ask()).set).toEqual([])
  })
})
