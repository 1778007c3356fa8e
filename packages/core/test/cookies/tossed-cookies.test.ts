/** Cookies that a sub-domain plants ("cookie tossing") beside those of the application, and leftovers of old ones. */
import { createAuth } from "@latchkey/core"
import { SessionTokenError } from "@latchkey/core/errors"
import type { JWT } from "@latchkey/core/types"
import { getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
} from "../support/password-app.ts"

const name = "__Secure-authjs.session-token"

/** Plants a cookie as `evil.app.example` can: for the whole domain, with a path that is sent first. */
function toss(browser: TestBrowser, cookieName: string, value: string): void {
  const attributes = "Domain=app.example; Path=/auth; Secure; HttpOnly"
  browser.cookies.setUnchecked("https://evil.app.example", `${cookieName}=${value}; ${attributes}`)
}

/** Removes all planted cookies. Those of the application stay. */
function removeTossed({ cookies }: TestBrowser): void {
  const own = [...cookies].filter(({ path }) => path === "/")
  cookies.clear()
  for (const { raw } of own) cookies.setUnchecked("https://app.example", raw)
}

const getValue = (browser: TestBrowser, cookieName: string) =>
  browser.cookies.get(cookieName)?.value ?? ""

/** Creates an application in which an update sets the size of the session, in characters of claims. */
function createResizableApp() {
  const jwt = ({ token, session }: { token: JWT; session?: { size: number } }) =>
    session ? { ...token, filling: "x".repeat(session.size) } : token
  return createPasswordApp({ callbacks: { jwt } })
}

async function openLargeSession() {
  const app = createResizableApp()
  const browser = await app.openSignedInBrowser()
  expect((await browser.updateSession({ size: 5000 })).status).toBe(200)
  expect(browser.cookies.names).toContain(`${name}.1`)
  return { app, browser }
}

describe("stray chunks", () => {
  test.each([[[".7"]], [[".2"]], [[".2", ".3", ".4"]], [[""]]])(
    "%j beside a session in chunks sign nobody out",
    async (suffixes) => {
      const { browser } = await openLargeSession()
      for (const suffix of suffixes) toss(browser, name + suffix, "planted")
      for (let i = 0; i < 2; i++)
        expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    },
  )

  test("do not keep a session from being updated", async () => {
    const { browser } = await openLargeSession()
    toss(browser, `${name}.7`, "planted")
    for (const size of [8000, 0, 5000]) {
      expect((await browser.updateSession({ size })).status).toBe(200)
      expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("do not keep a session from being renewed", async () => {
    const app = createPasswordApp({
      session: { updateAge: 0 },
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(5000) }) },
    })
    const browser = await app.openSignedInBrowser()
    toss(browser, `${name}.7`, "planted")
    for (let i = 0; i < 3; i++) {
      const before = getValue(browser, `${name}.0`)
      expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
      expect(getValue(browser, `${name}.0`)).not.toBe(before)
    }
  })

  test("do not keep a session from being ended", async () => {
    const { browser } = await openLargeSession()
    toss(browser, `${name}.7`, "planted")
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    const left = browser.cookies.names.filter((each) => each.startsWith(name))
    expect(left).toEqual([`${name}.7`])
  })

  test.each([".0", ".1"])(
    "%s of another session are not mixed with the session, which stays valid",
    async (suffix) => {
      const { app, browser } = await openLargeSession()
      const mallory = await app.openSignedInBrowser("mallory")
      await mallory.updateSession({ size: 5000 })
      const own = getValue(browser, name + suffix)
      toss(browser, name + suffix, getValue(mallory, name + suffix))
      expect(await browser.getSession()).toBeNull()
      browser.cookies.delete(name + suffix)
      browser.cookies.setUnchecked(browser.origin, `${name}${suffix}=${own}; Path=/; Secure`)
      expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    },
  )
})

const apps = [
  ["jwt", async (changes: Partial<PasswordAppConfig>) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
] as const

describe.each(apps)("planted cookies that are no session, strategy %s", (_, open) => {
  test.each([
    ["one", [["", "planted"]]],
    ["one that looks like a token", [["", `${"a".repeat(64)}`]]],
    ["a chunk", [[".0", "planted"]]],
    [
      "one with its chunks",
      [
        ["", "planted"],
        [".0", "planted"],
        [".1", "planted"],
      ],
    ],
    ["one that is too long", [["", "x".repeat(4090)]]],
  ] as const)("%s, do not sign out, and the session can be updated", async (_, planted) => {
    const browser = await (await open({ session: { updateAge: 0 } })).openSignedInBrowser()
    for (const [suffix, value] of planted) toss(browser, name + suffix, value)
    for (let i = 0; i < 2; i++) {
      expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
      expect((await browser.updateSession({})).status).toBe(200)
    }
    removeTossed(browser)
    expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("do not keep a session from being ended", async () => {
    const browser = await (await open({})).openSignedInBrowser()
    const token = getValue(browser, name)
    toss(browser, name, "planted")
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    browser.cookies.setUnchecked(browser.origin, `${name}=${token}; Path=/; Secure`)
    expect(await browser.getSession()).toBeNull()
  })

  test("by the dozen do not delete the cookie", async () => {
    const browser = await (await open({})).openSignedInBrowser()
    const token = getValue(browser, name)
    const cookie = `${`${name}=planted; `.repeat(12)}${name}=${token}`
    const url = `${browser.origin}/auth/session`
    const response = await browser.app(new Request(url, { headers: { cookie } }))
    expect(response.headers.getSetCookie().join()).not.toContain(name)
  })

  test("are deleted if there is no other cookie", async () => {
    const browser = (await open({})).openBrowser()
    browser.cookies.setUnchecked(browser.origin, `${name}=stale; Path=/; Secure; HttpOnly`)
    expect(await browser.getSession()).toBeNull()
    expect(browser.cookies.has(name)).toBe(false)
  })
})

const junk = Array.from({ length: 9 }, (_, i) => `${name}=planted${i}`)

/** Posts with cookies that come before those of the browser. */
async function postWithPlanted(
  browser: TestBrowser,
  action: "session" | "signout",
  planted: readonly string[],
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  const own = [...browser.cookies].map((cookie) => `${cookie.name}=${cookie.value}`)
  const url = `${browser.origin}/auth/${action}`
  const headers = {
    cookie: [...planted, ...own].join("; "),
    "content-type": "application/json",
    origin: browser.origin,
  }
  const body = JSON.stringify({ csrfToken, data: {} })
  return browser.app(new Request(url, { method: "POST", headers, body }))
}

describe.each(apps)("many planted cookies, strategy %s", (_, open) => {
  test("do not hide the real session from the check before an update", async () => {
    const app = await open({})
    const mallory = await app.openSignedInBrowser("bob")
    const victim = await app.openSignedInBrowser("ada")
    const planted = [`${name}=${getValue(mallory, name)}`, ...junk]
    expect((await postWithPlanted(victim, "session", planted)).status).toBe(400)
  })

  test("are not all decoded", async () => {
    const app = await open({})
    const victim = await app.openSignedInBrowser("ada")
    const url = `${victim.origin}/auth/session`
    const cookie = [...junk, `${name}=${getValue(victim, name)}`].join("; ")
    const response = await victim.app(new Request(url, { headers: { cookie } }))
    expect([response.status, await response.json()]).toEqual([200, null])
    expect(response.headers.getSetCookie().join()).not.toContain(name)
  })
})

test("planted cookies by the dozen do not delete the cookie of a database session", async () => {
  const app = await createStoredPasswordApp()
  const browser = await app.openSignedInBrowser()
  const own = `${name}=${getValue(browser, name)}`
  const cookie = [...Array.from({ length: 12 }, (_, i) => `${name}=planted-${i}`), own].join("; ")
  const request = new Request("https://app.example/auth/session", { headers: { cookie } })
  const response = await app.handle(request)
  expect(await response.json()).toBeNull()
  expect(response.headers.getSetCookie().join()).not.toContain(name)
})

test("a session is not updated while another one cannot be looked up", async () => {
  const app = await createStoredPasswordApp()
  const browser = await app.openSignedInBrowser()
  const { getSessionAndUser } = app.adapter
  app.adapter.getSessionAndUser = async (token) => {
    if (token === "planted") throw new Error("connect ECONNREFUSED")
    return getSessionAndUser.call(app.adapter, token)
  }
  const auth = createAuth(app.config)
  const update = (cookie: string) =>
    auth.updateSession({ headers: new Headers({ cookie }), url: browser.origin }, {})
  const own = `${name}=${getValue(browser, name)}`
  expect((await update(own)).session).toMatchObject({ user: { name: "ada" } })
  await expect(update(`${own}; ${name}=planted`)).rejects.toBeInstanceOf(SessionTokenError)
})

test("six planted cookies do not keep a database session from ending", async () => {
  const app = await createStoredPasswordApp()
  const victim = await app.openSignedInBrowser("ada")
  await postWithPlanted(victim, "signout", junk.slice(0, 6))
  expect(await victim.getSession()).toBeNull()
})

test("a chunk that occurs twice does not hide the real session from the check before an update", async () => {
  const { app, browser } = await openLargeSession()
  const mallory = await app.openSignedInBrowser("mallory")
  const planted = [`${name}=${getValue(mallory, name)}`, `${name}.0=planted`]
  expect((await postWithPlanted(browser, "session", planted)).status).toBe(400)
})

test("planted cookies whose names no response can contain do not keep anybody from signing in", async () => {
  const cookies = { state: { options: { domain: "app.example" } } }
  const app = await createLinkingApp({ cookies })
  const browser = app.openBrowser()
  for (let i = 0; i < 9; i++)
    toss(browser, `__Secure-authjs.state.${i}(${"a".repeat(14)}`, "planted")
  app.work.setUser(ada)
  await browser.signIn(app.work)
  expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
})

test("a token with a control character is not looked up", async () => {
  const app = await createStoredPasswordApp()
  const browser = await app.openSignedInBrowser("ada")
  const cookie = `${name}=%00; ${name}=${getValue(browser, name)}`
  const url = `${browser.origin}/auth/session`
  const response = await browser.app(new Request(url, { headers: { cookie } }))
  expect(await response.json()).toMatchObject({ user: { name: "ada" } })
})

describe("a session cookie that a sub-domain planted", () => {
  test("is not updated in place of a database session either", async () => {
    const app = await createStoredPasswordApp()
    const mallory = await app.openSignedInBrowser("bob")
    const victim = await app.openSignedInBrowser("ada")
    toss(victim, name, getValue(mallory, name))
    expect((await victim.updateSession({ iban: "DE02" })).status).toBe(400)
    expect(app.lines.join()).toContain("Expected one session")
  })

  test("of the same user does not keep the session from being updated", async () => {
    const app = createPasswordApp()
    const [laptop, phone] = [await app.openSignedInBrowser(), await app.openSignedInBrowser()]
    toss(laptop, name, getValue(phone, name))
    expect((await laptop.updateSession({})).status).toBe(200)
  })

  test("but is no session does not keep an account from being linked", async () => {
    const app = await createLinkingApp()
    const browser = app.openBrowser()
    app.work.setUser(ada)
    await browser.signIn(app.work)
    toss(browser, name, "planted")
    app.club.setUser({ ...ada, email: "ada@club.example" })
    const url = await browser.startSignIn(app.club, { link: "true" })
    await browser.open(app.club.approve(url))
    expect(app.listAccounts()).toHaveLength(2)
  })

  test("is not updated: the session of somebody else would receive the data", async () => {
    const updates: unknown[] = []
    const app = createPasswordApp({
      callbacks: {
        jwt({ token, trigger, session }) {
          if (trigger === "update") updates.push(session)
          return token
        },
      },
    })
    const mallory = await app.openSignedInBrowser("mallory")
    const victim = await app.openSignedInBrowser("ada")
    toss(victim, name, getValue(mallory, name))
    const response = await victim.updateSession({ iban: "DE02" })
    expect(response.status).toBe(400)
    expect(updates).toEqual([])
    victim.cookies.delete(name)
    await victim.signIn("credentials", { name: "ada", password: "open sesame" })
    expect((await victim.updateSession({ iban: "DE02" })).status).toBe(200)
  })

  test.each(["before", "during"])("is not linked to, planted %s the sign-in", async (time) => {
    const app = await createLinkingApp()
    const mallory = app.openBrowser()
    app.work.setUser(bob)
    await mallory.signIn(app.work)
    const victim = app.openBrowser()
    app.work.setUser(ada)
    await victim.signIn(app.work)
    const accounts = app.listAccounts()
    const sessionToken = getValue(mallory, name)
    if (time === "before") toss(victim, name, sessionToken)
    app.club.setUser({ ...ada, email: "ada@club.example" })
    const response = await victim
      .startSignIn(app.club, { link: "true" })
      .then((url) => {
        if (time === "during") toss(victim, name, sessionToken)
        return victim.open(app.club.approve(url))
      })
      .catch(() => undefined)
    if (response) expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(app.listAccounts()).toEqual(accounts)
  })

  test("is not linked to with `accountLinking: signed-in` either", async () => {
    const app = await createLinkingApp({ accountLinking: "signed-in" })
    const mallory = app.openBrowser()
    app.work.setUser(bob)
    await mallory.signIn(app.work)
    const victim = app.openBrowser()
    app.work.setUser(ada)
    await victim.signIn(app.work)
    toss(victim, name, getValue(mallory, name))
    app.club.setUser({ ...ada, sub: "ada-at-the-club", email: "ada@club.example" })
    await victim.signIn(app.club)
    const ofMallory = app.rows("User").find(({ email }) => email === "bob@example.com")?.["id"]
    expect(app.listAccounts()).not.toContain(`club ${ofMallory}`)
  })
})
