/** Tests in Chromium that the pages of every example show a session that ends elsewhere, and protect what they show. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import type { RunningExample } from "../running-example.ts"
import { type ApplicationSuite, countSuiteSeconds, hasRouter } from "./suite.ts"

const password = "correct horse battery staple"
/** The requests of the frameworks' routers for the data of a page. */
const pageDataRequest = /\/_server|__data\.json|q-data\.json|q-loader|\.data(?:\?|$)|[?&]_rsc=/

export function testSessionChanges(
  { application, chromium, runsAll }: ApplicationSuite,
  example: () => RunningExample,
): void {
  describe("session changes", () => {
    countSuiteSeconds("session changes")

    test.runIf(runsAll)(
      "the sign-in page leads back to the address with its query, even after a wrong password",
      async () => {
        const { page, context } = await openTestBrowser(chromium(), example().origin)
        await page.goto("/members?from=mail", { waitUntil: "networkidle" })
        await submitPassword(page, "wrong")
        await page.getByRole("main").getByRole("alert").waitFor()
        await submitPassword(page, password)
        await page.waitForURL("/members?from=mail")
        await context.close()
      },
    )

    test("a link leads to the sign-in page after the session has ended elsewhere", async () => {
      const { page, context } = await openTestBrowser(chromium(), example().origin)
      await signIn(page, "/")
      await context.clearCookies()
      await headerLink(page, "Account").click()
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()
      await expectSignedOut(page)
      await context.close()
    })

    test.runIf(runsAll)(
      "the header shows at the next link that the session has ended elsewhere",
      async () => {
        const { page, context } = await openTestBrowser(chromium(), example().origin)
        await signIn(page, "/members")
        await context.clearCookies()
        await headerLink(page, /^Latchkey \+ /).click()
        await page.getByText("You are signed out.").waitFor()
        await expectSignedOut(page)
        await context.close()
      },
    )

    test.runIf(runsAll && hasRouter(application))(
      "a sign-out in another tab reaches a visible page",
      async () => {
        const { page, context } = await openTestBrowser(chromium(), example().origin)
        await signIn(page, "/members")
        const otherTab = await context.newPage()
        await otherTab.goto("/", { waitUntil: "networkidle" })
        await otherTab.getByRole("button", { name: "Sign out" }).click()
        await otherTab.getByText("You are signed out.").waitFor()
        // The browser sends this event when the user returns to the tab. Chromium without a window has no hidden tabs.
        const showTab = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        const isOnSignInPage = async () => {
          if (new URL(page.url()).pathname === "/members") await showTab().catch(() => {})
          return page.url().endsWith("/signin?callbackUrl=%2Fmembers")
        }
        await expect.poll(isOnSignInPage, { timeout: 20_000, interval: 500 }).toBe(true)
        await expectSignedOut(page)
        await context.close()
      },
    )

    test.runIf(hasRouter(application))(
      "nothing of a page for members appears before the check",
      async () => {
        const { page, context } = await openTestBrowser(chromium(), example().origin)
        await page.goto("/", { waitUntil: "networkidle" })
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        const requested = page.waitForRequest(pageDataRequest)
        await page.route(pageDataRequest, async (route) => {
          await released
          await route.continue()
        })
        await page.getByRole("link", { name: "Members only" }).click()
        await requested
        expect(await page.getByText(/^Only (users|people) who are signed in/).count()).toBe(0)
        expect(await page.getByRole("heading", { name: "Members only" }).count()).toBe(0)
        release()
        await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()
        await context.close()
      },
    )
  })
}

async function signIn(page: Page, path: string): Promise<void> {
  await page.goto(`/signin?callbackUrl=${encodeURIComponent(path)}`, { waitUntil: "networkidle" })
  await submitPassword(page, password)
  await page.waitForURL(path)
  await page.getByRole("banner").getByText("Ann Archer").waitFor()
  await page.waitForLoadState("networkidle")
}

async function submitPassword(page: Page, text: string): Promise<void> {
  await page.getByLabel("E-mail").fill("ann@example.com")
  await page.getByLabel("Password").fill(text)
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click()
}

function headerLink(page: Page, name: string | RegExp) {
  return page.getByRole("banner").getByRole("link", { name })
}

async function expectSignedOut(page: Page): Promise<void> {
  await headerLink(page, "Sign in").waitFor()
  expect(await page.getByRole("banner").getByText("Ann Archer").count()).toBe(0)
}
