/** The page "Your sessions". */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openSignIn, retrying, type TestBrowser, tabTo } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"
import { findViolations, readOverflow } from "./support/page-checks.ts"

const suite = useDemo()
const { openBrowser } = suite
const sessionsPath = "/account/sessions"

/** Opens a browser in which a user is signed in. */
async function openBrowserOf(name: string, javaScript = true): Promise<TestBrowser> {
  const browser = await openBrowser(javaScript)
  const { page } = browser
  await openSignIn(page)
  await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
  await page.getByLabel("Use another name").fill(name)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.waitForURL("/journal")
  return browser
}

const listItems = (page: Page) => page.getByRole("main").getByRole("listitem")

/** Expects that the next request of a browser leads to the sign-in page. */
async function expectSignedOut({ page, session }: TestBrowser): Promise<void> {
  await page.goto("/journal")
  await page.waitForURL(/\/auth\/signin\?/)
  expect(await session()).toBeNull()
}

describe.each([true, false])("your sessions (JavaScript: %s)", (javaScript) => {
  test("show each device, and mark this one", async () => {
    const first = await openBrowserOf(`una-${javaScript}`, javaScript)
    const second = await openBrowserOf(`una-${javaScript}`, javaScript)
    const { page } = second
    await page.goto("/account")
    await page.getByRole("link", { name: "Your sessions" }).click()
    await page.waitForURL(sessionsPath)

    expect(await listItems(page).count()).toBe(2)
    const current = await listItems(page).first().innerText()
    expect(current).toMatch(/Chrome on Linux\s+This session/)
    expect(current).toMatch(/Signed in \d+ \w+ 20\d\d, \d\d:\d\d with Alder ID/)
    expect(current).toMatch(/Last used \d+ \w+ 20\d\d/)
    expect(current).toContain("From this computer")
    expect(await page.getByText("This session").count()).toBe(1)
    await first.closeAndVerify()
    await second.closeAndVerify()
  })

  test("that are ended are signed out at their next request", async () => {
    const lost = await openBrowserOf(`ivo-${javaScript}`, javaScript)
    const kept = await openBrowserOf(`ivo-${javaScript}`, javaScript)
    await kept.page.goto(sessionsPath)
    await listItems(kept.page).nth(1).getByRole("button", { name: "Sign out" }).click()
    await expect.poll(() => listItems(kept.page).count()).toBe(1)

    await expectSignedOut(lost)
    expect(await kept.session()).not.toBeNull()
    await lost.closeAndVerify()
    await kept.closeAndVerify()
  })

  test("all end but this one with one button", async () => {
    const name = `eli-${javaScript}`
    const others = [await openBrowserOf(name, javaScript), await openBrowserOf(name, javaScript)]
    const kept = await openBrowserOf(name, javaScript)
    await kept.page.goto(sessionsPath)
    await kept.page.getByRole("button", { name: "Sign out everywhere else" }).click()
    await expect.poll(() => listItems(kept.page).count()).toBe(1)
    expect(await kept.page.getByRole("button", { name: "everywhere else" }).count()).toBe(0)

    for (const other of others) {
      await expectSignedOut(other)
      await other.closeAndVerify()
    }
    await kept.page.getByRole("button", { name: "Sign out" }).click()
    await kept.page.waitForURL("/")
    await expectSignedOut(kept)
    await kept.closeAndVerify()
  })
})

test("nobody can end a session of another user", async () => {
  const ada = await openBrowserOf("ada")
  const otherBrowser = await openBrowserOf("ada")
  await otherBrowser.page.goto(sessionsPath)
  const form = otherBrowser.page.locator("form[action$='/revoke']")
  const action = (await form.getAttribute("action")) ?? ""
  expect(action).toMatch(/^\/account\/sessions\/[\w-]+\/revoke$/)

  const mei = await openBrowserOf("mei")
  const headers = { origin: suite.demo.origin }
  const post = (browser: TestBrowser) =>
    browser.context.request.post(action, { headers, form: {}, ...retrying })
  await post(mei)
  await ada.page.reload()
  expect(await ada.session()).not.toBeNull()
  // Without the check, the same request would have ended the session.
  await post(otherBrowser)
  await expectSignedOut(ada)
  for (const browser of [ada, otherBrowser, mei]) await browser.closeAndVerify()
})

test("a session that began with a new account shows the device, too", async () => {
  const lena = await openBrowser()
  const { page } = lena
  await page.goto("/join")
  await page.getByLabel("Your name").fill("Lena")
  await page.getByLabel("User name").fill("lena")
  await page.getByLabel("Password").fill("wild geese fly")
  await page.getByRole("button", { name: "Create account" }).click()
  await page.waitForURL("/journal")
  await page.goto(sessionsPath)
  const current = await listItems(page).first().innerText()
  expect(current).toMatch(/Chrome on Linux.+with a password/s)
  await lena.closeAndVerify()
})

test("the keyboard alone is sufficient", async () => {
  const lost = await openBrowserOf("kim")
  const kept = await openBrowserOf("kim")
  await kept.page.goto("/account")
  await tabTo(kept.page, "Your sessions")
  await kept.page.keyboard.press("Enter")
  await kept.page.waitForURL(sessionsPath)
  await tabTo(kept.page, "Sign out Chrome on Linux")
  await kept.page.keyboard.press("Enter")
  await expect.poll(() => listItems(kept.page).count()).toBe(1)
  await expectSignedOut(lost)
  await lost.closeAndVerify()
  await kept.closeAndVerify()
})

test.each(["light", "dark"] as const)(
  "the pages have no accessibility problem (%s)",
  async (colorScheme) => {
    const other = await openBrowserOf("noa")
    const noa = await openBrowserOf("noa")
    const { page } = noa
    await page.emulateMedia({ colorScheme })
    for (const path of [sessionsPath, "/account", "/account/connected-accounts?last"]) {
      await page.goto(path)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await readOverflow(page)).toBe(0)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    await other.closeAndVerify()
    await noa.closeAndVerify()
  },
)
