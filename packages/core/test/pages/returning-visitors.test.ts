/** The sign-in page for returning visitors: the method used last, the session, and a sign-in that failed. */
import credentials from "@latchkey/core/providers/credentials"
import type { CredentialInput } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../support/html-parser.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  createTestSite,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

const lastProvider = "__Host-authjs.last-provider"
const failureCookie = "__Host-latchkey.sign-in-failure"
const wrongCredentials = { ...validCredentials, word: "wrong" }

type Site = Awaited<ReturnType<typeof createTestSite>>
type Browser = ReturnType<Site["openBrowser"]>

const openPage = async (browser: Browser, path = "/auth/signin") =>
  (await browser.open(path)).text()
const getMainButton = (html: string) => findElement(html, "button", { class: "button main" }).text

async function openSite(changes: Partial<TestSiteConfig> = {}) {
  const site = await createTestSite(changes)
  return { site, browser: site.openBrowser() }
}

/** Replaces a cookie with what another script or site could have set. */
function forgeCookie(browser: Browser, name: string, value: string): void {
  browser.cookies.delete(name)
  browser.cookies.setUnchecked(siteOrigin, `${name}=${value}; Path=/; Secure`)
}

describe("the method that was used last", () => {
  test("is the first one after a sign-in, and survives the sign-out", async () => {
    const { browser } = await openSite()
    await browser.signIn("credentials", validCredentials)
    const [line = ""] = browser.setCookieHeaders.filter((each) => each.startsWith(lastProvider))
    expect(line).toBe(
      `${lastProvider}=credentials; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax`,
    )
    await browser.signOut()
    expect(getMainButton(await openPage(browser))).toBe("Sign in Last used")
  })

  test("is not written by session checks, refusals or the page", async () => {
    const { site, browser } = await openSite()
    await browser.signIn("credentials", wrongCredentials)
    await openPage(browser)
    expect(browser.cookies.names).not.toContain(lastProvider)
    await browser.signIn(site.provider)
    await browser.getSession()
    expect(browser.setCookieHeaders.filter((each) => each.startsWith(lastProvider))).toEqual([])
  })

  test("is ignored if no provider has the id", async () => {
    const { browser } = await openSite()
    const before = getMainButton(await openPage(browser))
    for (const value of ["gone", "__proto__", "%3Cscript%3E"]) {
      forgeCookie(browser, lastProvider, value)
      const html = await openPage(browser)
      expect(getMainButton(html)).toBe(before)
      expect(html).not.toContain("Last used")
    }
  })

  test("is not remembered without a choice, and not for an application's own page", async () => {
    const single = createMinimalSite().openBrowser()
    await single.signIn("credentials", validCredentials)
    expect(single.cookies.names).not.toContain(lastProvider)
    const { browser } = await openSite({ pages: { signIn: "/login" } })
    await browser.signIn("credentials", validCredentials)
    expect(browser.cookies.names).not.toContain(lastProvider)
  })
})

describe("a visitor who is signed in", () => {
  test("sees who they are, continues, or uses another account", async () => {
    const { site, browser } = await openSite()
    await browser.signIn(site.provider)
    const html = await openPage(browser, "/auth/signin?callbackUrl=/account")
    expect(findElement(html, "h1").text).toBe("Continue to app.example")
    expect(findElements(html, "form")).toEqual([])
    const continueLink = findElement(html, "a", { class: "button main" })
    expect(continueLink.attributes.get("href")).toBe(`${siteOrigin}/account`)
    const href = findElement(html, "a", { class: "button plain" }).attributes.get("href") ?? ""
    const methods = await openPage(browser, href.replaceAll("&amp;", "&"))
    expect(findElements(methods, "form").length).toBeGreaterThan(1)
    expect(
      findElements(methods, "input", { name: "callbackUrl", value: `${siteOrigin}/account` }),
    ).not.toEqual([])
    expect(await browser.getSession()).not.toBeNull()
  })

  test.each(["/auth/signin", "/auth", "/auth/signout"])(
    "continues to the application, not to an action: %s",
    async (callbackUrl) => {
      const { site, browser } = await openSite()
      await browser.signIn(site.provider)
      const html = await openPage(browser, `/auth/signin?callbackUrl=${callbackUrl}`)
      const continueLink = findElement(html, "a", { class: "button main" })
      expect(continueLink.attributes.get("href")).toBe(siteOrigin)
    },
  )

  test("sees an error of a sign-in, and the methods", async () => {
    const { site, browser } = await openSite()
    await browser.signIn(site.provider)
    const html = await openPage(browser, "/auth/signin?error=OAuthAccountNotLinked")
    expect(findElement(html, "div", { role: "alert" }).text).not.toBe("")
    getMainButton(html)
  })

  test("sees the methods if signing in adds an account", async () => {
    const adapter = await createDatabaseAdapter()
    const { site, browser } = await openSite({ adapter, accountLinking: "signed-in" })
    await browser.signIn(site.provider)
    getMainButton(await openPage(browser))
  })

  test("sees the methods if the session cannot be checked, and stays signed in", async () => {
    const adapter = await createDatabaseAdapter()
    let isDown = false
    const getSessionAndUser: typeof adapter.getSessionAndUser = (token) => {
      if (isDown) throw new Error("connection refused")
      return adapter.getSessionAndUser(token)
    }
    const { site, browser } = await openSite({
      adapter: { ...adapter, getSessionAndUser },
      session: { strategy: "database" },
    })
    await browser.signIn(site.provider)
    isDown = true
    getMainButton(await openPage(browser))
    isDown = false
    expect(await browser.getSession()).not.toBeNull()
  })
})

describe("a sign-in that failed", () => {
  test("keeps the name at its form, never the password, and only once", async () => {
    const { browser } = await openSite()
    const refusal = await browser.signIn("credentials", wrongCredentials)
    const location = refusal.headers.get("location") ?? ""
    expect(location).not.toContain(wrongCredentials.name)
    const html = await openPage(browser, location)
    const name = findElement(html, "input", { name: "name", value: wrongCredentials.name })
    expect(name.attributes.get("aria-invalid")).toBe("true")
    expect(html).not.toContain(`value="${wrongCredentials.word}"`)
    expect(browser.cookies.names).not.toContain(failureCookie)
    expect(
      findElements(await openPage(browser, location), "input", { value: wrongCredentials.name }),
    ).toEqual([])
  })

  test.each<[string, Record<string, CredentialInput>]>([
    ["password", { password: {} }],
    ["accessCode", { accessCode: { label: "Access code" } }],
    ["pin", { pin: { inputMode: "numeric" } }],
    ["letters", { letters: { autocomplete: "one-time-code" } }],
  ])("keeps no secret that is the only field of a form: %s", async (name, fields) => {
    const form = credentials({ credentials: fields, authorize: () => null })
    const { browser } = await openSite({ providers: [form] })
    const secret = "s3cret-value"
    const refusal = await browser.signIn("credentials", { [name]: secret })
    expect(browser.cookies.names).not.toContain(failureCookie)
    expect(await openPage(browser, refusal.headers.get("location") ?? "")).not.toContain(secret)
  })

  test("keeps nothing of a form that another site sends", async () => {
    const { browser } = await openSite()
    const options = { from: "https://evil.example" }
    const fields = { ...wrongCredentials, name: "Call +1 555 0100 for help" }
    const refusal = await browser.post("/auth/callback/credentials", fields, options)
    const html = await openPage(browser, refusal.headers.get("location") ?? "")
    expect(findElement(html, "div", { role: "alert" }).text).toContain("Try again")
    expect(html).not.toContain("555 0100")
  })

  test("keeps an address that is not valid", async () => {
    const { browser } = await openSite()
    const refusal = await browser.signIn("email", { email: "ada@@example" })
    const html = await openPage(browser, refusal.headers.get("location") ?? "")
    expect(findElement(html, "input", { name: "email" }).attributes.get("value")).toBe(
      "ada@@example",
    )
  })

  test("is not taken from a cookie that somebody else has made", async () => {
    const { browser } = await openSite()
    for (const value of [
      "eyJhbGciOiJkaXIifQ..a.b.c",
      "%7B%22provider%22%3A%22credentials%22%7D",
      "x",
    ]) {
      forgeCookie(browser, failureCookie, value)
      const html = await openPage(browser, "/auth/signin?error=CredentialsSignin")
      expect(findElements(html, "input", { name: "name" })[0]?.attributes.has("value")).toBe(false)
    }
  })

  test("is not saved for an application's own page", async () => {
    const { browser } = await openSite({ pages: { signIn: "/login" } })
    await browser.signIn("credentials", wrongCredentials)
    expect(browser.cookies.names).not.toContain(failureCookie)
  })
})
