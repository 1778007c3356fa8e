/** A provider's response that belongs to no sign-in under way: too late, used, lost or of another browser. */
import {
  createScriptedProvider,
  getRedirectError,
  getSetCookieNames,
  type TestBrowser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../support/html-parser.ts"
import { createLinkingApp } from "../support/linking-app.ts"
import { listTransactionCookies } from "../support/oauth-app.ts"
import {
  createMinimalSite,
  createTestSite,
  passwordProvider,
  siteOrigin,
  type TestSite,
  validCredentials,
} from "../support/test-site.ts"

/** Opens the page that a response redirects to. */
async function openPage(browser: TestBrowser, response: Response) {
  const page = await browser.followRedirect(response)
  return { status: page.status, html: await page.text() }
}

/** Submits the form of a page. */
async function submitForm(browser: TestBrowser, html: string): Promise<Response> {
  const inputs = findElements(html, "input").map(({ attributes }) => [
    attributes.get("name") ?? "",
    attributes.get("value") ?? "",
  ])
  const action = new URL(findElement(html, "form").attributes.get("action") ?? "")
  return browser.post(action.pathname, Object.fromEntries(inputs))
}

async function approve({ provider }: TestSite, browser: TestBrowser, callbackUrl = "/inbox") {
  return provider.approve(await browser.startSignIn(provider, { callbackUrl }))
}

type Target = Parameters<TestBrowser["open"]>[0]

/** The ways in which a visitor loses a sign-in under way. Each returns what the browser opens afterwards. */
const losses: Readonly<Record<string, (site: TestSite, browser: TestBrowser) => Promise<Target>>> =
  {
    "whose cookie is lost": async (site, browser) => {
      const response = await approve(site, browser)
      for (const name of listTransactionCookies(browser)) browser.cookies.delete(name)
      return response
    },
    "of another browser": async (site, browser) => {
      await browser.open("/auth/signin?callbackUrl=/inbox")
      return approve(site, site.openBrowser(), "/theirs")
    },
    "that was used": async (site, browser) => {
      const response = await approve(site, browser)
      await browser.open(response)
      await browser.signOut({ callbackUrl: "/inbox" })
      return response
    },
    "without a state": async (_, browser) => {
      await browser.open("/auth/signin?callbackUrl=/inbox")
      return "/auth/callback/scripted"
    },
  }

describe.each(Object.entries(losses))("a response %s", (_, lose) => {
  test("shows that the sign-in has expired, and a button that starts again", async () => {
    const site = await createTestSite()
    const alice = site.openBrowser()
    const response = await alice.open(await lose(site, alice))
    expect(getRedirectError(response)).toBe("Configuration")
    const page = await openPage(alice, response)
    expect(page.status).toBe(400)
    expect(findElement(page.html, "h1").text).toBe("This sign-in has expired")
    expect(findElement(page.html, "button").text).toBe("Sign in with Scripted")
    expect(page.html).not.toContain("<script")

    const started = await submitForm(alice, page.html)
    const authorizationUrl = new URL(started.headers.get("location") ?? "")
    const completed = await alice.open(site.provider.approve(authorizationUrl))
    expect(completed.headers.get("location")).toBe(`${siteOrigin}/inbox`)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("leads a signed-in visitor on to the application", async () => {
    const site = await createTestSite({ debug: true })
    const alice = site.openBrowser()
    const target = await lose(site, alice)
    await alice.signIn("credentials", { ...validCredentials, callbackUrl: "/inbox" })
    const session = await alice.getSession()
    const response = await alice.open(target)
    expect(response.headers.get("location")).toBe(`${siteOrigin}/inbox`)
    expect(site.log.errorCodes).toEqual([])
    const warnings = site.log.lines.filter(([level]) => level === "warn")
    const ignored = warnings.filter(([, code]) => code === "sign-in-response-ignored")
    expect(ignored.map(([, , message]) => message)).toEqual([
      expect.stringMatching(/^scripted: expected the state of .* request the link again\.$/),
    ])
    expect((await alice.getSession())?.user).toEqual(session?.user)
  })
})

describe("a signed-in visitor", () => {
  const openExpired = async (callbackUrl: string, query = "") => {
    const site = await createTestSite()
    const alice = site.openBrowser()
    await alice.signIn("credentials", { ...validCredentials, callbackUrl })
    const response = await alice.open(`/auth/callback/scripted?state=x&code=y${query}`, {
      from: "https://evil.example",
    })
    return response.headers.get("location")
  }

  test("never goes where the forged response wants", async () => {
    const query = `&callbackUrl=${encodeURIComponent("/transfer?to=mallory")}`
    expect(await openExpired("/inbox", query)).toBe(`${siteOrigin}/inbox`)
  })

  test.each([
    "/auth",
    "/auth/",
    "/auth/signout",
    "/auth/signin",
    "/auth/callback/scripted?state=x",
  ])("is not sent in circles by the callback URL %s", async (callbackUrl) => {
    expect(await openExpired(callbackUrl)).toBe(siteOrigin)
  })

  test("stays who they are when the response is a complete sign-in of somebody else", async () => {
    const site = await createTestSite()
    const [alice, mallory] = [site.openBrowser(), site.openBrowser()]
    await alice.signIn("credentials", validCredentials)
    site.provider.setUser({ sub: "mallory", email: "mallory@evil.example" })
    const response = await approve(site, mallory)
    await alice.open(response, { from: "https://evil.example" })
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    expect(site.provider.tokenRequests).toEqual([])
  })
})

test("a posted response that has expired leads a signed-in visitor on", async () => {
  const provider = await createScriptedProvider()
  const formPost = { authorization: { params: { response_mode: "form_post" } } }
  const site = createMinimalSite({ providers: [provider.asOidc(formPost), passwordProvider()] })
  const alice = site.openBrowser()
  await alice.signIn("credentials", { ...validCredentials, callbackUrl: "/inbox" })
  const fields = { state: "x", code: "y", callbackUrl: "/transfer" }
  const from = "https://evil.example"
  const posted = await alice.post("/auth/callback/scripted", fields, { from })
  expect(posted.status).toBe(303)
  expect(getSetCookieNames(posted)).toEqual([])
  expect((await alice.followRedirect(posted)).headers.get("location")).toBe(`${siteOrigin}/inbox`)
  expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
})

test("a session that cannot be checked counts as none, and is kept", async () => {
  const app = await createLinkingApp({ session: { strategy: "database" } })
  const alice = app.openBrowser()
  await alice.signIn(app.work)
  app.failAllMethods()
  const response = await alice.open("/auth/callback/work?state=x&code=y")
  expect(response.headers.get("location")).toContain("reason=expired")
  app.clearFaults()
  expect(await alice.getSession()).not.toBeNull()
})
