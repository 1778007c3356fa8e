import { errorOf } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, password, sessionCookie, storedPeople } from "../support/people.ts"

const start = Date.parse("2027-01-01T00:00:00.000Z")
const day = 86_400

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: start }))
afterEach(() => vi.useRealTimers())

const at = (seconds: number) => vi.setSystemTime(start + seconds * 1000)
const iso = (seconds: number) => new Date(start + seconds * 1000).toISOString()

async function signedIn(changes: Partial<Config> = {}) {
  const app = await storedPeople(changes)
  const updateSession = vi.spyOn(app.adapter, "updateSession")
  // Cookies do not end by themselves here: the server has to decide.
  const alice = await app.signedIn("ada", { now: () => 0 })
  const token = sessionCookie(alice)
  return {
    app,
    alice,
    token,
    updateSession,
    async ask() {
      const session = await alice.session()
      const set = alice.setCookies.filter((line) => line.startsWith(sessionName))
      return { session, set }
    },
    async row() {
      const found = await app.adapter.getSessionAndUser(token)
      return found?.session.expires.toISOString()
    },
  }
}

describe("a session in the database that is not due", () => {
  test("is read without a write and without any Set-Cookie", async () => {
    const { alice, ask, row, updateSession } = await signedIn()
    at(day - 1)
    expect(await ask()).toMatchObject({ session: { expires: iso(30 * day) }, set: [] })
    expect(alice.setCookies).toEqual([])
    expect(updateSession).not.toHaveBeenCalled()
    expect(await row()).toBe(iso(30 * day))
  })
})

describe("a session in the database that is due", () => {
  test.each([
    ["by default after a day", {}, day, 30 * day],
    ["after `updateAge`", { updateAge: 60, maxAge: 3600 }, 60, 3600],
    ["long after", { updateAge: 60, maxAge: 3600 }, 3599, 3600],
  ])("%s is extended by `maxAge`, once", async (_, session, after, maxAge) => {
    const { ask, row, token, alice, updateSession } = await signedIn({ session })
    if (after < 3000 || maxAge > 3600) {
      at(after - 1)
      expect((await ask()).set).toEqual([])
    }
    at(after)
    const { session: shown, set } = await ask()
    expect(shown).toMatchObject({ user: { name: "ada" }, expires: iso(after + maxAge) })
    const expires = new Date(start + (after + maxAge) * 1000)
    expect(set).toEqual([expect.stringContaining(`Expires=${expires.toUTCString()}`)])
    expect(sessionCookie(alice)).toBe(token)
    expect(await row()).toBe(expires.toISOString())
    at(after + 1)
    expect((await ask()).set).toEqual([])
    expect(updateSession).toHaveBeenCalledOnce()
    expect(updateSession).toHaveBeenCalledWith({ sessionToken: token, expires })
  })

  test("is extended at every access when `updateAge` is 0", async () => {
    const { ask, row, updateSession } = await signedIn({ session: { updateAge: 0 } })
    for (const seconds of [0, 1, 60]) {
      at(seconds)
      expect((await ask()).set).toHaveLength(1)
      expect(await row()).toBe(iso(seconds + 30 * day))
    }
    expect(updateSession).toHaveBeenCalledTimes(3)
  })

  test("is cut to `maxAge` when `updateAge` is 0 and the row would live longer", async () => {
    const { app, token, ask, row } = await signedIn({ session: { updateAge: 0, maxAge: 3600 } })
    const expires = new Date(start + 30 * day * 1000)
    await app.adapter.updateSession({ sessionToken: token, expires })
    await ask()
    expect(await row()).toBe(iso(3600))
  })

  test("is extended for twenty readers at once, all of which see it", async () => {
    const { app, alice, token } = await signedIn({ session: { updateAge: 60 } })
    at(120)
    const headers = { cookie: `${sessionName}=${token}` }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.handle(new Request("https://app.example/auth/session", { headers })),
      ),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ user: { name: "ada" } })
    }
    expect(app.errors).toEqual([])
    expect(app.count("Session")).toBe(1)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })
})

test("a session that somebody ends while it is extended is nobody's", async () => {
  const { app, alice, token, ask } = await signedIn({ session: { updateAge: 0 } })
  const { updateSession } = app.adapter
  app.adapter.updateSession = async (session) => {
    await app.adapter.deleteSession(token)
    return updateSession(session)
  }
  expect((await ask()).session).toBeNull()
  expect(alice.cookies.has(sessionName)).toBe(false)
  expect(app.count("Session")).toBe(0)
})

test("a session is extended by an adapter that does not give the row back", async () => {
  const { app, ask, row } = await signedIn({ session: { updateAge: 0 } })
  const { updateSession } = app.adapter
  app.adapter.updateSession = async (session) => void (await updateSession(session))
  at(60)
  expect((await ask()).session).toMatchObject({ expires: iso(60 + 30 * day) })
  expect(await row()).toBe(iso(60 + 30 * day))
})

describe("a session in the database that expired", () => {
  test("is nobody's, and row and cookie are removed", async () => {
    const { app, alice, ask } = await signedIn({ session: { maxAge: 1000, updateAge: 100 } })
    expect(app.count("Session")).toBe(1)
    at(1000)
    expect((await ask()).session).toBeNull()
    expect(alice.cookies.has(sessionName)).toBe(false)
    expect(app.count("Session")).toBe(0)
    expect(app.errors).toEqual([])
  })

  test("is alive until its last moment", async () => {
    const { ask } = await signedIn({ session: { maxAge: 1000, updateAge: 5000 } })
    vi.setSystemTime(start + 999_999)
    expect((await ask()).session).toMatchObject({ expires: iso(1000) })
  })

  test("is nobody's even when the row cannot be removed", async () => {
    const { app, ask } = await signedIn({ session: { maxAge: 1000 } })
    app.adapter.deleteSession = () => Promise.reject<null>(new Error("read-only"))
    at(2000)
    expect((await ask()).session).toBeNull()
    expect(app.errors).toEqual(["AdapterError"])
  })
})

describe("a session cookie without a row", () => {
  test("is nobody's, and is deleted", async () => {
    const { app, alice, token, ask } = await signedIn()
    await app.adapter.deleteSession(token)
    expect((await ask()).session).toBeNull()
    expect(alice.cookies.has(sessionName)).toBe(false)
    // Signing out elsewhere is no fault.
    expect(app.errors).toEqual([])
  })

  test("of a user who is gone is nobody's", async () => {
    const { app, alice, ask } = await signedIn()
    app.database.exec("pragma foreign_keys = off")
    app.database.exec(`delete from "User" where id = 'user-ada'`)
    expect(app.count("Session")).toBe(1)
    expect((await ask()).session).toBeNull()
    expect(alice.cookies.has(sessionName)).toBe(false)
  })

  test("of absurd length is not looked up", async () => {
    const app = await storedPeople()
    const getSessionAndUser = vi.spyOn(app.adapter, "getSessionAndUser")
    const mallory = app.browser()
    mallory.cookies.plant(mallory.origin, `${sessionName}=${"x".repeat(5000)}; Path=/; Secure`)
    expect(await mallory.session()).toBeNull()
    expect(getSessionAndUser).not.toHaveBeenCalled()
    expect(mallory.cookies.has(sessionName)).toBe(false)
  })
})

describe("the token of a session in the database", () => {
  test("is random: 128 bits and more, never the same", async () => {
    const app = await storedPeople()
    const tokens = new Set<string>()
    for (let i = 0; i < 20; i++) tokens.add(sessionCookie(await app.signedIn()))
    expect(tokens.size).toBe(20)
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/)
  })

  test("comes from `generateSessionToken`", async () => {
    let count = 0
    const generateSessionToken = () => `made-${++count}`
    const app = await storedPeople({ session: { generateSessionToken } })
    const alice = await app.signedIn()
    expect(sessionCookie(alice)).toBe("made-1")
    expect(await app.adapter.getSessionAndUser("made-1")).not.toBeNull()
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(["", undefined, 7, Promise.resolve("later"), "x".repeat(5000)])(
    "that `generateSessionToken` makes as %o signs nobody in",
    async (wrong) => {
      const app = await storedPeople({
        session: { generateSessionToken: () => wrong as unknown as string },
      })
      const alice = app.browser()
      const answer = await alice.signIn("credentials", { name: "ada", password })
      expect(errorOf(answer)).toBe("Configuration")
      expect(app.count("Session")).toBe(0)
      expect(await alice.session()).toBeNull()
    },
  )

  test("is looked up once for an answer", async () => {
    const { app, alice } = await signedIn()
    const getSessionAndUser = vi.spyOn(app.adapter, "getSessionAndUser")
    await alice.session()
    expect(getSessionAndUser).toHaveBeenCalledOnce()
  })
})
