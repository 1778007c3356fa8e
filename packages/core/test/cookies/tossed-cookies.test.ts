/** Cookies that a sub-domain plants ("cookie tossing") beside those of the application, and leftovers of old ones. */
import type { JWT } from "@latchkey/core/types"
import { getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"
import { createPasswordApp } from "../support/password-app.ts"

const name = "__Secure-authjs.session-token"

/** Plants a cookie as `evil.app.example` can: for the whole domain, with a path that is sent first. */
function toss(browser: TestBrowser, cookieName: string, value: string): void {
  const attributes = "Domain=app.example; Path=/auth; Secure; HttpOnly"
  browser.cookies.setUnchecked("https://evil.app.example", `${cookieName}=${value}; ${attributes}`)
}

const getValue = (browser: TestBrowser, cookieName: string) =>
  browser.cookies.get(cookieName)?.value ?? ""

/** An application whose sessions are as large as the last update said, in characters of claims. */
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
    for (const size of [9000, 0, 5000]) {
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
    "%s of another session are not mixed with one, which stays",
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

describe("a session cookie that a sub-domain planted", () => {
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
