/** A real Chromium for tests. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { expect } from "vitest"

/**
 * For requests that Playwright sends itself. A server closes a connection that was unused for five seconds, maybe just
 * when it is used again. Browsers then send the request once more.
 */
export const retrying = { maxRetries: 2 } as const

/** Matches the warning about a page that stays open before it uses a preloaded file, as on a slow machine. */
const lateUseWarning = /was preloaded using link preload but not used within a few seconds/

/** A separate browser profile. */
export interface TestBrowser {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of any tab: exceptions, console messages and requests to other hosts. */
  readonly pageErrors: readonly string[]
  /** Returns the response of `/auth/session`. */
  session(): Promise<unknown>
  /** Closes the browser, and expects that there were no errors. */
  closeAndVerify(): Promise<void>
}

/** Opens a browser without cookies. */
export async function openTestBrowser(
  browser: Browser,
  origin: string,
  javaScriptEnabled = true,
): Promise<TestBrowser> {
  const context = await browser.newContext({ baseURL: origin, javaScriptEnabled })
  context.setDefaultTimeout(10_000)
  const pageErrors: string[] = []
  context.on("weberror", (error) => pageErrors.push(`error: ${error.error().message}`))
  context.on("console", (message) => {
    const isProblem = ["error", "warning"].includes(message.type())
    if (isProblem && !lateUseWarning.test(message.text()))
      pageErrors.push(`console: ${message.text()}`)
  })
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url())
    const isOurs = ["localhost", "127.0.0.1"].includes(hostname)
    if (!isOurs && protocol !== "data:") pageErrors.push(`request: ${request.url()}`)
  })
  return {
    page: await context.newPage(),
    context,
    pageErrors,
    session: async () => (await context.request.get("/auth/session", retrying)).json(),
    async closeAndVerify() {
      await context.close()
      expect(pageErrors).toEqual([])
    },
  }
}

/** Opens the sign-in page through a protected page. */
export async function openSignIn(page: Page): Promise<void> {
  await page.goto("/journal")
  await page.waitForURL(/\/auth\/signin\?/)
}

/** Opens a form of the sign-in page, like a click on the button above it. */
export async function openForm(page: Page, name: string): Promise<void> {
  await page.locator("summary", { hasText: name }).click()
}

/** Signs in at the tenant provider. */
export async function signInWithTenant(page: Page, name = "Ada Lindqvist"): Promise<void> {
  await openSignIn(page)
  await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
  await page.getByRole("button", { name }).click()
  await page.waitForURL("/journal")
}

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 30; steps += 1) {
    await page.keyboard.press("Tab")
    const focused = page.locator(":focus")
    if ((await focused.count()) === 0) continue
    const text = await focused.evaluate((element) => {
      const labels = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      const label = labels ? element.labels?.[0]?.textContent : undefined
      return (label ?? element.textContent ?? "").trim()
    })
    if (typeof name === "string" ? text.includes(name) : name.test(text)) return
  }
  throw new Error(`The focus did not reach ${name}.`)
}
