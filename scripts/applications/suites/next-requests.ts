/** Tests behaviours that only Next.js has: forged headers, actions of other sites, components that cannot set cookies. */
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import type { ApplicationFixture } from "../application-fixture.ts"
import { annCredentials, signInAnn } from "../behaviours/behaviour.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

/** Tests renewal, with a session that is due for it at every access. */
export function testRenewal(_: ApplicationSuite, fixture: () => ApplicationFixture): void {
  describe("renewal", () => {
    countSuiteSeconds("requests of Next.js")

    test("components see the session that the proxy renewed, and renew nothing", async () => {
      const browser = await signInAnn(fixture())
      for (const headers of [{}, { rsc: "1" }]) {
        let response = await browser.fetch("/probe/component", { headers })
        // The router adds a hash of its headers to the URL.
        const location = response.headers.get("location")
        if (location) response = await browser.fetch(location, { headers })
        const lines = response.headers.getSetCookie().filter((line) => isSession(line))
        expect(lines).toHaveLength(1)
        const value = /=([^;]+)/.exec(lines[0] ?? "")?.[1] ?? "none"
        const page = await response.text()
        expect(page).toContain(value)
        expect(page).toMatch(/Ann/)
        expect(response.headers.get("cache-control")).toContain("no-store")
      }
    })
  })
}

/** Tests actions and the client for components. */
export function testRequests(
  { chromium }: ApplicationSuite,
  fixture: () => ApplicationFixture,
): void {
  describe("requests", () => {
    countSuiteSeconds("requests of Next.js")

    test.each([
      ["its own page", {}, true],
      ["another site", { origin: evil, "sec-fetch-site": "cross-site" }, false],
      ["another site that forges the host", { origin: evil, ...forged }, false],
      ["a page without an origin", { origin: "null", "sec-fetch-site": "cross-site" }, false],
      ["no page", { origin: undefined, "sec-fetch-site": undefined }, false],
    ])("an action runs for %s: %o", async (_, headers, runs) => {
      const lines = await submitSignIn(fixture(), headers)
      expect(lines.some(isSession)).toBe(runs)
    })

    test.each([
      ["a link to sign in", "GET", { "sec-fetch-site": "cross-site" }, true],
      ["a link to sign in that somebody types", "GET", { "sec-fetch-site": "none" }, true],
      ["a form of another site", "POST", { origin: evil, "sec-fetch-site": "cross-site" }, false],
      ["a script without an origin", "POST", { "content-type": "text/plain" }, false],
    ])("a route handler runs for %s: %s with %o", async (_, method, headers, runs) => {
      const path = `/probe/link?${new URLSearchParams(annCredentials)}`
      const response = await fetch(`http://127.0.0.1:${fixture().port}${path}`, {
        method,
        headers: { ...headers, "x-forwarded-host": new URL(fixture().origin).host },
        redirect: "manual",
      })
      expect(response.headers.getSetCookie().some(isSession)).toBe(runs)
    })

    test("a link of another site signs nobody out", async () => {
      const browser = await signInAnn(fixture())
      const headers = { "sec-fetch-site": "cross-site" }
      expect((await browser.fetch("/probe/link?action=signout", { headers })).status).toBe(500)
      expect(await (await browser.fetch("/probe/session")).text()).toContain("Ann")
      await browser.fetch("/probe/link?action=signout", {
        headers: { "sec-fetch-site": "same-origin" },
      })
      expect(await (await browser.fetch("/probe/session")).text()).not.toContain("Ann")
    })

    // The proxies of 2025 and 2026 did not run for these, or took them for another page. The guard is in the page.
    test.each<[string, Readonly<Record<string, string>>]>([
      ["/members", { "x-middleware-subrequest": Array(5).fill("src/middleware").join(":") }],
      ["/members", { "x-middleware-subrequest": Array(5).fill("middleware").join(":") }],
      ["/members", { rsc: "1" }],
      ["/members", { rsc: "1", "next-router-prefetch": "1" }],
      ["/members", { rsc: "1", "next-router-segment-prefetch": "/members/__PAGE__" }],
      ["/members.rsc", {}],
      ["/members.segments/_tree.segment.rsc", {}],
      ["/members.segments/members/__PAGE__.segment.rsc", {}],
      ["/%6dembers", {}],
      ["//members", {}],
      ["/_next/data/any/members.json", {}],
      ["/en/members", {}],
      ["/?nxtPpath=members", {}],
    ])("a stranger does not see what is guarded: %s with %j", async (path, headers) => {
      const secretText = "Only users who are signed in"
      const get = async (browser: TestBrowser) => {
        let response = await browser.fetch(path, { headers })
        for (let i = 0; i < 3 && response.headers.has("location"); i++)
          response = await browser.fetch(response.headers.get("location") ?? "", { headers })
        return response.text()
      }
      expect(await get(fixture().openBrowser())).not.toContain(secretText)
      const isPrefetch = Object.keys(headers).some((name) => name.endsWith("prefetch"))
      if (path === "/members" && !isPrefetch)
        expect(await get(await signInAnn(fixture()))).toContain(secretText)
    })

    test("components of the page follow the session", async () => {
      const ann = await openTestBrowser(chromium(), fixture().origin)
      const { page, context } = ann
      await page.goto("/probe/client", { waitUntil: "networkidle" })
      await page.getByText("unauthenticated").waitFor()
      await page.goto("/signin?callbackUrl=/probe/client", { waitUntil: "networkidle" })
      await page.getByLabel("E-mail").fill(annCredentials.email)
      await page.getByLabel("Password").fill(annCredentials.password)
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).last().click()
      await page.getByText("Hello Ann").waitFor()
      const other = await context.newPage()
      await other.goto("/probe/client", { waitUntil: "networkidle" })
      await page.getByRole("button", { name: "Rename" }).click()
      await page.getByText("Hello Annie").waitFor()
      await other.getByText("Hello Annie").waitFor()
      await other.getByRole("button", { name: "Leave" }).click()
      await other.getByText("unauthenticated").waitFor()
      await page.getByText("unauthenticated").waitFor()
      await ann.closeAndVerify()
    })
  })
}

const evil = "https://evil.example"
/** An older browser sends no `Sec-Fetch-Site`, and Next.js compares the origin with the forged host. */
const forged = { "x-forwarded-host": "evil.example", "sec-fetch-site": undefined }

const isSession = (text: string): boolean => text.includes("session-token")

/** Sends the form of the sign-in page as a browser without scripts does, with other headers. Returns the cookies. */
async function submitSignIn(
  { origin, port }: ApplicationFixture,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const url = `http://127.0.0.1:${port}/signin`
  const page = await (await fetch(url)).text()
  const html = page.split("<form").find((text) => text.includes('value="credentials"')) ?? ""
  const body = new FormData()
  for (const [input] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1] ?? ""
    body.set(name, unescapeHtml(/value="([^"]*)"/.exec(input)?.[1] ?? ""))
  }
  for (const [name, value] of Object.entries(annCredentials)) body.set(name, value)
  // Next.js compares the origin with this host, because the test connects to another one than the browser.
  const usual = {
    origin,
    "sec-fetch-site": "same-origin",
    "x-forwarded-host": new URL(origin).host,
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries({ ...usual, ...changes }))
    if (value !== undefined) headers.set(name, value)
  const response = await fetch(url, { method: "POST", body, headers, redirect: "manual" })
  return response.headers.getSetCookie()
}

function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}
