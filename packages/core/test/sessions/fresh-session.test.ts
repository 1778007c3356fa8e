/** `assertFreshSession`: whether the user of a session has authenticated recently. */
import { Auth, assertFreshSession, createAuth, getSessionInfo } from "@latchkey/core"
import { SessionNotFresh } from "@latchkey/core/errors"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"
import { createOAuthApp } from "../support/oauth-app.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordApp,
} from "../support/password-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

const setTime = (seconds: number) => vi.setSystemTime(startTime + seconds * 1000)

/** The session of a browser, as server code receives it. */
async function readSession({ config }: Pick<PasswordApp, "config">, browser: TestBrowser) {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const { session } = await createAuth(config).getSession({
    headers: new Headers({ cookie }),
    url: browser.origin,
  })
  if (!session) throw new Error("Nobody is signed in")
  return session
}

const isFresh = (session: object | null | undefined, seconds: number): boolean => {
  try {
    assertFreshSession(session, seconds)
    return true
  } catch (error) {
    if (error instanceof SessionNotFresh) return false
    throw error
  }
}

describe("assertFreshSession", () => {
  test.each([
    ["in a cookie", async () => createPasswordApp()],
    ["in a database", () => createStoredPasswordApp({ session: { absoluteTimeout: 86_400 } })],
  ])("knows since when the user of a session %s is signed in", async (_, createApp) => {
    const app = await createApp()
    const browser = await app.openSignedInBrowser()
    setTime(600)
    expect(isFresh(await readSession(app, browser), 600)).toBe(true)
    setTime(601)
    expect(isFresh(await readSession(app, browser), 600)).toBe(false)
    expect(isFresh(await readSession(app, browser), 601)).toBe(true)
  })

  test("is not renewed with the session", async () => {
    const app = createPasswordApp({ session: { updateAge: 0 } })
    const browser = await app.openSignedInBrowser()
    for (const time of [300, 500, 700]) {
      setTime(time)
      await browser.getSession()
    }
    expect(isFresh(await readSession(app, browser), 600)).toBe(false)
  })

  test("uses the time at which the provider authenticated the user", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { session: { strategy: "jwt" } })
    const browser = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims, now }) => {
        claims["auth_time"] = now - 3600
      },
    })
    await browser.signIn(provider)
    const session = await readSession(app, browser)
    expect(isFresh(session, 600)).toBe(false)
    expect(isFresh(session, 3600)).toBe(true)
    expect(getSessionInfo(session)?.authTime).toEqual(new Date(startTime - 3_600_000))
    provider.injectFaults({
      idToken: ({ claims }) => {
        delete claims["auth_time"]
      },
    })
    await browser.signIn(provider)
    expect(isFresh(await readSession(app, browser), 600)).toBe(true)
  })

  test("does not accept a time in the future, which no provider can know", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { session: { strategy: "jwt" } })
    const browser = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims, now }) => {
        claims["auth_time"] = now + 86_400
      },
    })
    await browser.signIn(provider)
    expect(isFresh(await readSession(app, browser), 600)).toBe(true)
    setTime(601)
    expect(isFresh(await readSession(app, browser), 600)).toBe(false)
  })

  test("accepts an object of your own that says when its user authenticated", () => {
    const now = Math.floor(Date.now() / 1000)
    expect(isFresh({ createdAt: new Date() }, 600)).toBe(true)
    expect(isFresh({ createdAt: new Date(Date.now() - 601_000) }, 600)).toBe(false)
    expect(isFresh({ signedInAt: now - 600 }, 600)).toBe(true)
    expect(isFresh({ signedInAt: now - 601 }, 600)).toBe(false)
    expect(isFresh({ signedInAt: now + 61 }, 600)).toBe(false)
    expect(isFresh({ signedInAt: String(now) }, 600)).toBe(false)
    const old = { createdAt: new Date(Date.now() - 601_000) }
    expect(() => assertFreshSession(old, 600)).toThrow(/received: 601 seconds ago/i)
  })

  test("does not let the members of a session replace what the library knows", async () => {
    const app = createPasswordApp({
      callbacks: {
        session: ({ session }) => ({
          ...session,
          createdAt: new Date(),
          signedInAt: Math.floor(Date.now() / 1000),
        }),
      },
    })
    const browser = await app.openSignedInBrowser()
    setTime(601)
    expect(isFresh(await readSession(app, browser), 600)).toBe(false)
  })

  test("refuses a session whose beginning is not known, and says what helps", async () => {
    const app = await createStoredPasswordApp()
    const session = await readSession(app, await app.openSignedInBrowser())
    const message = /received: a session without this time.*absoluteTimeout.*records/is
    expect(() => assertFreshSession(session, 600)).toThrow(message)
  })

  test("knows no times of a session that is older than the options that need them", async () => {
    const app = await createStoredPasswordApp()
    const browser = await app.openSignedInBrowser()
    const config = { ...app.config, session: { rememberMe: true } }
    const info = getSessionInfo(await readSession({ config }, browser))
    expect(info).toEqual({ userId: "user-ada", level: 1, isTemporary: false })
  })

  test("refuses a copy of a session, and says what helps", async () => {
    const app = createPasswordApp()
    const session = await readSession(app, await app.openSignedInBrowser())
    expect(isFresh(session, 600)).toBe(true)
    expect(() => assertFreshSession({ ...session }, 600)).toThrow(
      /as `getSession` returned it, not a copy/,
    )
  })

  test.each([null, undefined])("refuses %s", (session) => {
    expect(() => assertFreshSession(session, 600)).toThrow(/received: no session/i)
  })

  test.each([Number.NaN, -1, undefined])("refuses everything for %s seconds", (seconds) => {
    expect(isFresh({ createdAt: new Date(Date.now() - 1000) }, seconds as number)).toBe(false)
  })

  test("tells TypeScript that there is a session", () => {
    const session: { user: string } | null = JSON.parse('{"user":"ada"}')
    const check = () => {
      assertFreshSession(session, 600)
      expectTypeOf(session).toEqualTypeOf<{ user: string }>()
    }
    expect(check).toThrow(SessionNotFresh)
  })
})

test("adding an account makes no session fresh whose beginning is not known", async () => {
  const app = await createLinkingApp()
  app.work.setUser(ada)
  app.club.setUser({ ...bob, email: "ada@club.example" })
  let config = app.config
  const person = createTestBrowser((request) => Auth(request, config), { now: () => 0 })
  await person.signIn(app.work)
  config = { ...app.config, session: { rememberMe: true } }
  await person.open(app.club.approve(await person.startSignIn("club", { link: "true" })).url)
  expect(app.listAccounts()).toHaveLength(2)
  expect(isFresh(await readSession({ config }, person), 600)).toBe(false)
})

describe.each([
  ["jwt", { strategy: "jwt" }],
  ["database", { strategy: "database", absoluteTimeout: 86_400, rememberMe: true }],
] as const)("adding an account, with the strategy %s,", (_, session) => {
  async function createSignedIn(changes: Partial<TestAppConfig> = {}) {
    const app = await createLinkingApp({ session, ...changes })
    app.work.setUser(ada)
    app.club.setUser({ ...bob, email: "ada@club.example" })
    const person = app.openBrowser({ now: () => 0 })
    await person.signIn(app.work, { rememberMe: "true" })
    return { app, person }
  }

  test("does not make a session fresh: the account may be that of somebody else", async () => {
    const { app, person } = await createSignedIn()
    setTime(601)
    await person.signIn(app.club, { link: "true" })
    expect(app.listAccounts()).toHaveLength(2)
    expect(isFresh(await readSession(app, person), 600)).toBe(false)
    expect(isFresh(await readSession(app, person), 601)).toBe(true)
    // Nor does it change how long the session lasts.
    const line = person.setCookieHeaders.find((each) => each.includes("session-token=")) ?? ""
    expect(line).toContain("Expires=")
  })

  test("is a sign-in once the account belongs to the user", async () => {
    const { app, person } = await createSignedIn()
    await person.signIn(app.club, { link: "true" })
    setTime(601)
    await person.signIn(app.club, { link: "true" })
    expect(isFresh(await readSession(app, person), 600)).toBe(true)
  })

  test("does not extend the absolute limit", async () => {
    const { app, person } = await createSignedIn({ session: { ...session, absoluteTimeout: 3600 } })
    setTime(1800)
    await person.signIn(app.club, { link: "true" })
    setTime(3599)
    expect(await person.getSession()).not.toBeNull()
    setTime(3600)
    expect(await person.getSession()).toBeNull()
  })
})

test("a callback that copies what the browser sent makes no session fresh", async () => {
  const app = createPasswordApp({
    callbacks: {
      jwt: ({ token, session }: { token: object; session?: unknown }) => ({
        ...token,
        ...Object(session),
      }),
    },
  })
  const person = await app.openSignedInBrowser()
  setTime(601)
  await person.updateSession({ sessionFacts: { authTime: startTime / 1000 + 601 } })
  const session = await readSession(app, person)
  expect(getSessionInfo(session)?.authTime).toEqual(new Date(startTime))
  expect(isFresh(session, 600)).toBe(false)
})

test("a database session from before an option was set is neither fresh nor longer after an account was added", async () => {
  const app = await createLinkingApp()
  app.work.setUser(ada)
  app.club.setUser({ ...bob, email: "ada@club.example" })
  const person = app.openBrowser()
  await person.signIn(app.work)
  const later = { ...app.config, session: { absoluteTimeout: 86_400 } }
  const { cookies } = person
  const { handle } = createAuth(later)
  const browser = createTestBrowser((request) => handle(request))
  for (const { name, value } of cookies)
    browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; Secure`)
  const rows = app.rows("Session")
  setTime(86_405)
  await browser.signIn(app.club, { link: "true" })
  expect(app.rows("Session")).toEqual(rows)
  const session = await readSession({ config: later }, browser)
  expect(app.listAccounts()).toHaveLength(2)
  expect(isFresh(session, 86_400)).toBe(false)
})

describe("`accounts.unlink`", () => {
  /** Ada, who has two accounts. The second one is to be unlinked. */
  async function createLinkedApp(session: NonNullable<TestAppConfig["session"]>) {
    const app = await createLinkingApp({ session })
    app.work.setUser(ada)
    app.club.setUser({ ...bob, email: "ada@club.example" })
    const person = app.openBrowser()
    await person.signIn(app.work)
    await person.signIn(app.club, { link: "true" })
    const userId = String(app.rows("User")[0]?.["id"])
    const key = { userId, provider: "club", providerAccountId: "bob" }
    const unlink = (given: object) =>
      createAuth(app.config).accounts.unlink({ ...key, session: given })
    return { ...app, person, userId, unlink }
  }

  test("accepts the session itself", async () => {
    const app = await createLinkedApp({ absoluteTimeout: 86_400 })
    setTime(601)
    const old = await readSession(app, app.person)
    await expect(app.unlink(old)).rejects.toThrow(SessionNotFresh)
    expect(app.listAccounts()).toHaveLength(2)
    await app.person.signIn(app.work)
    const session = await readSession(app, app.person)
    expect(getSessionInfo(session)?.userId).toBe(app.userId)
    expect(await app.unlink(session)).toMatchObject({ provider: "club" })
  })

  test.each([
    ["in a cookie", { strategy: "jwt" }],
    ["in a database", { strategy: "database", absoluteTimeout: 86_400 }],
  ] as const)("refuses the session %s of another user", async (_, session) => {
    const app = await createLinkedApp(session)
    app.work.setUser({ ...bob, sub: "eve", email: "eve@example.com" })
    const stranger = app.openBrowser()
    await stranger.signIn(app.work)
    const foreign = await readSession(app, stranger)
    await expect(app.unlink(foreign)).rejects.toThrow(SessionNotFresh)
    await expect(app.unlink(foreign)).rejects.toThrow("Received: the session of another user")
    expect(app.listAccounts()).toHaveLength(3)
    // Server code decides what an object says that it has written itself.
    const createdAt = getSessionInfo(foreign)?.authTime
    expect(await app.unlink({ createdAt })).toMatchObject({ provider: "club" })
  })
})
