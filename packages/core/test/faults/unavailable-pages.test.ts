/** Pages while a provider or the database does not respond, and how visitors go on afterwards. */

import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../support/html-parser.ts"
import { bob, createLinkingApp } from "../support/linking-app.ts"

const home = "https://app.example"

async function createSite(strategy: "jwt" | "database" = "database") {
  const app = await createLinkingApp({ session: { strategy } })
  return { ...app, browser: app.openBrowser() }
}

/** Follows the redirect of a failure to its page, which asks to try again. */
async function readPage(browser: TestBrowser, response: Response) {
  const page = await browser.followRedirect(response)
  const html = await page.text()
  expect(page.status).toBe(503)
  expect(page.headers.get("retry-after")).toBe("30")
  expect(html).not.toContain("<script")
  return html
}

/** Submits the form of a page. */
async function tryAgain(browser: TestBrowser, html: string): Promise<Response> {
  expect(findElement(html, "button").text).toBe("Try again")
  const fields = findElements(html, "input").map(({ attributes }) => [
    attributes.get("name") ?? "",
    attributes.get("value") ?? "",
  ])
  const action = findElement(html, "form").attributes.get("action") ?? ""
  return browser.post(new URL(action).pathname, Object.fromEntries(fields))
}

describe("a provider that does not respond", () => {
  test.each(["network-error", "status-500"] as const)(
    "when the sign-in starts can be tried again: %s",
    async (fault) => {
      const { browser, work } = await createSite()
      work.injectFaults({ discovery: fault })
      const response = await browser.signIn(work.id, { callbackUrl: "/inbox" })
      const query = `error=Configuration&reason=unavailable&provider=work`
      const callbackUrl = encodeURIComponent(`${home}/inbox`)
      expect(response.headers.get("location")).toBe(
        `${home}/auth/error?${query}&callbackUrl=${callbackUrl}`,
      )
      const html = await readPage(browser, response)
      const failedAgain = await tryAgain(browser, html)
      expect(failedAgain.headers.get("location")).toContain("reason=unavailable")
      work.clearFaults()
      const started = await tryAgain(browser, html)
      const completed = await browser.open(
        work.approve(new URL(started.headers.get("location") ?? "")),
      )
      expect(completed.headers.get("location")).toBe(`${home}/inbox`)
      expect(await browser.getSession()).not.toBeNull()
    },
  )

  test.each(["network-error", "status-500"] as const)(
    "when the visitor comes back can be tried again: %s",
    async (fault) => {
      const { browser, work } = await createSite()
      const url = await browser.startSignIn(work, { callbackUrl: "/inbox" })
      work.injectFaults({ token: fault })
      const html = await readPage(browser, await browser.open(work.approve(url)))
      work.clearFaults()
      const started = await tryAgain(browser, html)
      const completed = await browser.open(
        work.approve(new URL(started.headers.get("location") ?? "")),
      )
      expect(completed.headers.get("location")).toBe(`${home}/inbox`)
    },
  )

  test("leads to the application's own sign-in page, with the callback URL", async () => {
    const app = await createLinkingApp({ pages: { signIn: "/login" } })
    const browser = app.openBrowser()
    app.work.injectFaults({ discovery: "network-error" })
    const response = await browser.signIn(app.work.id, { callbackUrl: "/inbox" })
    const callbackUrl = encodeURIComponent(`${home}/inbox`)
    expect(response.headers.get("location")).toBe(
      `${home}/login?error=Configuration&callbackUrl=${callbackUrl}`,
    )
  })

  test("while an account is linked is not tried again as a sign-in", async () => {
    const { browser, work, club } = await createSite()
    await browser.signIn(work)
    const fields = { link: "true", callbackUrl: "/account" }
    const url = await browser.startSignIn(club, fields)
    club.injectFaults({ token: "network-error" })
    const html = await readPage(browser, await browser.open(club.approve(url)))
    expect(findElements(html, "form")).toEqual([])
    const callbackUrl = encodeURIComponent(`${home}/account`)
    expect(findElement(html, "a", { class: "button main" }).attributes.get("href")).toBe(
      `${home}/auth/signin?callbackUrl=${callbackUrl}`,
    )
  })
})

describe("a database that does not respond", () => {
  test("when the visitor comes back can be tried again, and signs nobody out", async () => {
    const { browser, work, club, failAllMethods, clearFaults } = await createSite()
    club.setUser(bob)
    await browser.signIn(work)
    const url = await browser.startSignIn(club, { callbackUrl: "/inbox" })
    failAllMethods()
    const html = await readPage(browser, await browser.open(club.approve(url)))
    clearFaults()
    expect(await browser.getSession()).not.toBeNull()
    const started = await tryAgain(browser, html)
    const completed = await browser.open(
      club.approve(new URL(started.headers.get("location") ?? "")),
    )
    expect(completed.headers.get("location")).toBe(`${home}/inbox`)
  })

  test("when the visitor signs out says that they are still signed in", async () => {
    const { browser, work, failAllMethods, clearFaults } = await createSite()
    await browser.signIn(work)
    const fields = { csrfToken: await browser.getCsrfToken(), callbackUrl: "/bye" }
    failAllMethods()
    const html = await readPage(browser, await browser.post("/auth/signout", fields))
    expect(findElement(html, "h1").text).toBe("You are still signed in")
    clearFaults()
    expect(await browser.getSession()).not.toBeNull()
    const response = await tryAgain(browser, html)
    expect(response.headers.get("location")).toBe(`${home}/bye`)
    expect(await browser.getSession()).toBeNull()
  })

  test("still asks before a sign-out", async () => {
    const { browser, work, failAllMethods } = await createSite()
    await browser.signIn(work)
    failAllMethods()
    expect((await browser.open("/auth/signout")).status).toBe(200)
  })
})
