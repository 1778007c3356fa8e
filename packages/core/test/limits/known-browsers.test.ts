/** A browser that has signed in to an account has attempts of its own, which nobody else can use up. */
import { type AuthConfig, createAuth, type LatchkeyAuth } from "@latchkey/core"
import { getRedirectError, getSetCookieNames, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import {
  countGuesses,
  createAccount,
  createNetwork,
  createPasswordApp,
  credentials,
  guess,
  openBrowser,
  password,
} from "../support/guessing-app.ts"
import { createPasskeyApp, PasskeyBrowser } from "../support/passkey-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"
import { createTestSite } from "../support/test-site.ts"

const origin = "https://app.example"
const cookieName = "__Host-authjs.known-browser"

const readCookie = ({ cookies }: TestBrowser) => cookies.get(cookieName)?.value ?? ""

/** Puts a value into a browser as its only cookie. */
function plantCookie(browser: TestBrowser, value: string): TestBrowser {
  browser.cookies.clear()
  browser.cookies.setUnchecked(origin, `${cookieName}=${value}; Path=/; Secure`)
  return browser
}

/** Signs in with the correct password, and returns the browser. */
async function signIn(auth: LatchkeyAuth, account: string, address?: string): Promise<TestBrowser> {
  const browser = openBrowser(auth, address)
  expect(await guess(browser, account, password)).toBe("signed in")
  return browser
}

/** Uses up the limit of an account, as strangers do. */
async function exhaust(auth: LatchkeyAuth, account: string): Promise<void> {
  // A sign-in with another spelling may have counted, too.
  expect(await countGuesses(openBrowser(auth), account, 101)).toBeGreaterThanOrEqual(99)
  expect(await guess(openBrowser(auth), account, password)).toBe("TooManyRequests")
}

describe("a browser that has signed in", () => {
  test("signs in again while strangers guess behind the same untrusted proxy", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const owner = await signIn(auth, account, "10.0.0.7")
    await exhaust(auth, account)
    expect(await guess(owner, account, password)).toBe("signed in")
    expect(await guess(owner, account.toUpperCase(), password)).toBe("TooManyRequests")
  })

  test("signs in again while strangers use up the limit of a public address that all share", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const proxy = createNetwork()
    const owner = await signIn(auth, account, proxy)
    const stranger = openBrowser(auth, proxy)
    for (let i = 0; i < 301; i += 1) await guess(stranger, createAccount())
    expect(await guess(openBrowser(auth, proxy), account, password)).toBe("TooManyRequests")
    expect(await guess(owner, account, password)).toBe("signed in")
  })

  test("has the limit of an account on a network, and is then counted like any other", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const network = createNetwork()
    const owner = await signIn(auth, account, network)
    expect(await countGuesses(owner, account, 30)).toBe(20)
    expect(await guess(openBrowser(auth, network), account, password)).toBe("TooManyRequests")
  })

  test("does not get more attempts by signing in again", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { network: { max: 1, window: 60 } } },
    })
    const account = createAccount()
    const owner = await signIn(auth, account, createNetwork())
    expect(await countGuesses(owner, account, 9)).toBe(9)
    expect(await guess(owner, account, password)).toBe("signed in")
    expect(await guess(owner, account, password)).toBe("TooManyRequests")
  })

  test("may request the next e-mail link and open it, while strangers flood the mailbox", async () => {
    const app = await createEmailApp({
      attemptLimits: { "email-link": { network: { max: 1, window: 60 } } },
    })
    const auth = createAuth(app.config as AuthConfig)
    const account = createAccount()
    const proxy = createNetwork()
    const owner = openBrowser(auth, proxy)
    await owner.open(await app.receiveLink(owner, account))
    const strangers = openBrowser(auth, createNetwork)
    for (let i = 0; i < 21; i += 1)
      await strangers.signIn("nodemailer", { email: account.replace("@", `+${i}@`) })
    await expect(app.receiveLink(openBrowser(auth, proxy), account)).rejects.toThrow(
      /TooManyRequests/,
    )
    await owner.post("/auth/signout", { csrfToken: await owner.getCsrfToken() })
    expect(await owner.getSession()).toBeNull()
    await owner.open(await app.receiveLink(owner, account))
    expect(await owner.getSession()).not.toBeNull()
  })

  test("enters a code, while strangers guess it", async () => {
    const app = await createEmailApp({}, { generateVerificationToken: () => "123456" })
    const auth = createAuth(app.config as AuthConfig)
    const account = createAccount()
    const owner = openBrowser(auth)
    await owner.open(await app.receiveLink(owner, account))
    await app.receiveLink(owner, account)
    const strangers = openBrowser(auth)
    const csrfToken = await strangers.getCsrfToken()
    for (let i = 0; i < 31; i += 1) {
      const query = new URLSearchParams({ email: account, token: String(200_000 + i) })
      await strangers.post(`/auth/callback/nodemailer?${query}`, { csrfToken })
    }
    const link = new URL(app.inbox.getLatestLink())
    const path = link.pathname + link.search
    const refused = await strangers.post(path, { csrfToken })
    expect(refused.headers.get("location")).toContain("TooManyRequests")
    const accepted = await owner.open(link)
    expect(accepted.headers.get("location") ?? "").not.toContain("error")
  })

  test("requests passkey options, while strangers use up the limit of an address that all share", async () => {
    const app = await createPasskeyApp({
      attemptLimits: { "webauthn-options": { network: { max: 3, window: 60 } } },
    })
    const auth = createAuth(app.config as AuthConfig)
    const proxy = createNetwork()
    const owner = new PasskeyBrowser(openBrowser(auth, proxy))
    await owner.register("ada@example.com")
    await owner.browser.post("/auth/signout", { csrfToken: await owner.browser.getCsrfToken() })
    const stranger = new PasskeyBrowser(openBrowser(auth, proxy))
    for (let i = 0; i < 3; i += 1) await stranger.requestOptions()
    expect((await stranger.requestOptions()).status).toBe(429)
    expect((await owner.requestOptions({ action: "authenticate" })).status).toBe(200)
  })

  test("is known for five accounts, those of the latest sign-ins", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { identifier: { max: 2, window: 60 } } },
    })
    const browser = openBrowser(auth)
    const accounts = Array.from({ length: 6 }, createAccount)
    for (const account of accounts)
      expect(await guess(browser, account, password)).toBe("signed in")
    expect(await guess(browser, accounts[1] ?? "", password)).toBe("signed in")
    expect(readCookie(browser).split("~")).toHaveLength(5)
    const strangers = openBrowser(auth)
    for (const account of accounts) await countGuesses(strangers, account, 2)
    const results: string[] = []
    for (const account of accounts) results.push(await guess(browser, account))
    expect(results).toEqual(["TooManyRequests", ...Array(5).fill("CredentialsSignin")])
  })
})

describe("the cookie", () => {
  test("lasts 180 days, is out of reach of scripts and sub-domains, and names nobody", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const response = await openBrowser(auth).signIn("credentials", { email: account, password })
    const [line, ...more] = response.headers
      .getSetCookie()
      .filter((each) => each.includes("known-browser"))
    expect(more).toEqual([])
    expect(line).toMatch(
      /^__Host-authjs\.known-browser=[\da-f]{32}\.[\da-f]{32}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const plain = await openBrowser(auth, undefined, "http://app.example").signIn("credentials", {
      email: account,
      password,
    })
    expect(getSetCookieNames(plain)).toContain("authjs.known-browser")
  })

  test("is set by a sign-in only: not by a wrong password, and not when the session is read", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth)
    const refused = await browser.signIn("credentials", { email: createAccount(), password: "no" })
    expect(getSetCookieNames(refused)).not.toContain(cookieName)
    await guess(browser, createAccount(), password)
    const read = await browser.open("/auth/session")
    expect(getSetCookieNames(read)).not.toContain(cookieName)
  })

  test.each<[string, TestAppConfig["attemptLimits"] & {}]>([
    ["all limits are", false],
    ["those of its action are", { credentials: false }],
    ["the limit of an account on a network is", { credentials: { identifierAndNetwork: false } }],
  ])("is not set if %s off", async (_, attemptLimits) => {
    const { auth } = createPasswordApp({ attemptLimits })
    const browser = await signIn(auth, createAccount())
    expect(browser.cookies.names).not.toContain(cookieName)
  })

  test("is for one tenant, if the form has a field for it, and for no one-time code", async () => {
    const fields = {
      tenant: {},
      email: {},
      password: { type: "password" },
      code: { autocomplete: "one-time-code" },
    }
    const provider = { ...credentials, credentials: fields }
    const { auth } = createPasswordApp({ providers: [provider] })
    const email = createAccount()
    let code = 0
    const enter = async (browser: TestBrowser, tenant: string) => {
      const values = { tenant, email, password, code: `${++code}` }
      return getRedirectError(await browser.signIn("credentials", values))
    }
    const owner = openBrowser(auth)
    expect(await enter(owner, "mine")).toBeNull()
    await countGuesses(openBrowser(auth), email, 101)
    expect(await enter(openBrowser(auth), "mine")).toBe("TooManyRequests")
    expect(await enter(owner, "other")).toBe("TooManyRequests")
    expect(await enter(owner, "mine")).toBeNull()
  })

  test("and the counters do not depend on a one-time code, so that a correct one resets them", async () => {
    const code = { autocomplete: "section-a one-time-code" }
    const provider = { ...credentials, credentials: { ...credentials.credentials, code } }
    const { auth } = createPasswordApp({ providers: [provider] })
    const [account, network] = [createAccount(), createNetwork()]
    expect(await countGuesses(openBrowser(auth, network), account, 9)).toBe(9)
    expect(await guess(openBrowser(auth, network), account, password)).toBe("signed in")
    expect(await countGuesses(openBrowser(auth, network), account, 9)).toBe(9)
  })

  test("is not set by sign-ins that have no limits", async () => {
    const site = await createTestSite()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    expect(await browser.getSession()).not.toBeNull()
    expect(browser.cookies.names).not.toContain(cookieName)
  })

  test("keeps the id of the browser when its account signs in again", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const browser = await signIn(auth, account)
    const before = readCookie(browser)
    await guess(browser, account, password)
    expect(readCookie(browser)).toBe(before)
    expect(readCookie(await signIn(auth, account))).not.toBe(before)
  })

  test("of an old secret is accepted, and signed with the new one", async () => {
    const account = createAccount()
    const oldSecret = "an old secret of the application, long enough"
    const newSecret = "a new secret of the application, long enough"
    const open = (secret: string[]) => createPasswordApp({ secret }).auth
    const first = readCookie(await signIn(open([oldSecret]), account))
    const rotating = open([newSecret, oldSecret])
    await exhaust(rotating, account)
    const browser = plantCookie(openBrowser(rotating), first)
    expect(await guess(browser, account, password)).toBe("signed in")
    const renewed = readCookie(browser)
    expect(renewed.slice(0, 33)).toBe(first.slice(0, 33))
    expect(renewed).not.toBe(first)
    const rotated = open([newSecret])
    expect(await guess(plantCookie(openBrowser(rotated), first), account, password)).toBe(
      "TooManyRequests",
    )
    expect(await guess(plantCookie(openBrowser(rotated), renewed), account, password)).toBe(
      "signed in",
    )
  })
})

describe("the cookie does not make a browser known", () => {
  /** Has the limit of an account used up, and signs in to it with a planted cookie. */
  async function tryCookie(
    getValue: (auth: LatchkeyAuth, account: string) => Promise<string>,
  ): Promise<string> {
    const other = { ...credentials, id: "other" }
    const { auth } = createPasswordApp({ providers: [credentials, other] })
    const account = createAccount()
    const value = await getValue(auth, account)
    await exhaust(auth, account)
    return guess(plantCookie(openBrowser(auth), value), account, password)
  }
  const readOwn = async (auth: LatchkeyAuth, account: string) =>
    readCookie(await signIn(auth, account))

  test("unless it is altered: the control", async () => {
    expect(await tryCookie(readOwn)).toBe("signed in")
  })

  test.each<[string, (auth: LatchkeyAuth, account: string) => Promise<string>]>([
    ["if it is forged", async () => `${"a".repeat(32)}.${"b".repeat(32)}`],
    ["if it is empty", async () => ""],
    [
      "with another id",
      async (auth, account) => (await readOwn(auth, account)).replace(/^.{32}/, "0".repeat(32)),
    ],
    ["for another account", (auth) => readOwn(auth, createAccount())],
    [
      "for another spelling of the account, which may be another account",
      (auth, account) => readOwn(auth, account.toUpperCase()),
    ],
    [
      "for the same account of another provider",
      async (auth, account) => {
        const browser = openBrowser(auth)
        await browser.signIn("other", { email: account, password })
        expect(readCookie(browser)).not.toBe("")
        return readCookie(browser)
      },
    ],
    [
      "with more than five entries",
      async (auth, account) =>
        Array(6)
          .fill(await readOwn(auth, account))
          .join("~"),
    ],
    ["with anything around it", async (auth, account) => `${await readOwn(auth, account)}~`],
  ])("%s", async (_, getValue) => {
    expect(await tryCookie(getValue)).toBe("TooManyRequests")
  })

  test("for an account whose name differs by a space around it", async () => {
    const owns = ({ email, password: typed }: { email?: unknown; password?: unknown }) =>
      typed === password ? { id: String(email) } : null
    const { auth } = createPasswordApp({ providers: [{ ...credentials, authorize: owns }] })
    const account = createAccount()
    const other = await signIn(auth, ` ${account}`)
    await exhaust(auth, account)
    expect(await guess(other, account, password)).toBe("TooManyRequests")
  })

  test("if it is sent twice", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const own = await readOwn(auth, account)
    await exhaust(auth, account)
    const browser = plantCookie(openBrowser(auth), own)
    browser.cookies.setUnchecked(origin, `${cookieName}=${own}; Path=/auth; Secure`)
    expect(await guess(browser, account, password)).toBe("TooManyRequests")
  })

  test("more than its limit allows, however many browsers have copies of it", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const stolen = readCookie(await signIn(auth, account))
    await exhaust(auth, account)
    let compared = 0
    for (let i = 0; i < 5; i += 1)
      compared += await countGuesses(plantCookie(openBrowser(auth), stolen), account, 10)
    expect(compared).toBe(10)
  })

  test("many browsers that know an account have the limit of an account together", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { identifier: { max: 25, window: 60 } } },
    })
    // A form whose field is not all that names the account, such as one with a separate tenant.
    const account = createAccount()
    const known: TestBrowser[] = []
    for (let i = 0; i < 5; i += 1) known.push(await signIn(auth, account))
    await countGuesses(openBrowser(auth), account, 26)
    let compared = 0
    for (const browser of known) compared += await countGuesses(browser, account, 10)
    expect(compared).toBe(25)
  })

  test("for long, if it is replaced by thousands of characters", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const browser = plantCookie(openBrowser(auth), "a.b~".repeat(1000))
    expect(await guess(browser, account, password)).toBe("signed in")
    expect(readCookie(browser)).toMatch(/^[\da-f]{32}\.[\da-f]{32}$/)
  })
})
