/** The page "Security", and Latchkey's pages for it. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { showCode, waitForStep } from "./support/authenticator-app.ts"
import { openSignIn, type TestBrowser } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"
import { findViolations, readOverflow } from "./support/page-checks.ts"

const { openBrowser } = useDemo()
const path = "/account/security"

async function signIn({ page }: TestBrowser, name: string): Promise<void> {
  await openSignIn(page)
  await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
  await page.getByLabel("Use another name").fill(name)
  await page.getByRole("button", { name: "Continue" }).click()
}

async function openSignedInBrowser(name: string, javaScript = true): Promise<TestBrowser> {
  const browser = await openBrowser(javaScript)
  await signIn(browser, name)
  await browser.page.waitForURL("/journal")
  return browser
}

const enterCode = async (page: Page, code: string) => {
  await page.getByRole("textbox").fill(code)
  await page.getByRole("button", { name: "Continue" }).click()
}

/** Adds an app on the page. Returns its key, and the recovery codes. */
async function addApp({ page }: TestBrowser) {
  await page.goto(path)
  await page.getByRole("link", { name: "Add an authenticator app" }).click()
  const key = await page.locator("code").innerText()
  // One step earlier, so that the next one can be used at once.
  await waitForStep()
  await enterCode(page, showCode(key, -1))
  await page.getByRole("heading", { name: "Save your recovery codes" }).waitFor()
  const codes = await page.getByRole("listitem").allInnerTexts()
  await page.getByRole("link", { name: "I have saved the codes" }).click()
  await page.waitForURL(path)
  return { key, codes }
}

describe.each([true, false])("a second factor (JavaScript: %s)", (javaScript) => {
  test("is added, asked for, trusted, and removed", async () => {
    const browser = await openSignedInBrowser(`oda-${javaScript}`, javaScript)
    const { page } = browser
    const { key, codes } = await addApp(browser)
    expect(codes).toHaveLength(10)
    expect(await page.getByText("10 left").count()).toBe(1)

    const other = await openBrowser(javaScript)
    await signIn(other, `oda-${javaScript}`)
    await other.page.waitForURL(/second-factor/)
    expect(await other.session()).toBeNull()
    await enterCode(other.page, "000000")
    expect(await other.page.getByRole("alert").innerText()).toContain("This code is incorrect.")
    await other.page.getByLabel("Trust this device").check()
    await enterCode(other.page, showCode(key))
    await other.page.waitForURL("/journal")
    await other.page.goto("/account")
    await other.page.getByRole("button", { name: "Sign out" }).click()
    await other.page.waitForURL("/")
    await signIn(other, `oda-${javaScript}`)
    await other.page.waitForURL("/journal")

    await page.goto("/account/sessions")
    await page.getByRole("heading", { name: "Trusted devices" }).waitFor()
    await page.getByRole("button", { name: "Remove trusted device" }).click()
    await page.waitForURL(path)
    await expect.poll(() => page.getByText("Trusted device").count()).toBe(0)
    await page.getByRole("button", { name: "Remove authenticator app" }).click()
    await page.getByRole("link", { name: "Add an authenticator app" }).waitFor()
    await browser.closeAndVerify()
    await other.closeAndVerify()
  })

  test("that is lost is replaced by a recovery code", async () => {
    const browser = await openSignedInBrowser(`pia-${javaScript}`, javaScript)
    const { codes } = await addApp(browser)
    const other = await openBrowser(javaScript)
    await signIn(other, `pia-${javaScript}`)
    await other.page.getByRole("link", { name: "Use a recovery code" }).click()
    await enterCode(other.page, codes[3] ?? "")
    await other.page.waitForURL("/journal")
    await other.page.goto(path)
    expect(await other.page.getByText("9 left").count()).toBe(1)
    await other.page.getByRole("button", { name: "Create new recovery codes" }).click()
    await other.page.getByRole("heading", { name: "Your new recovery codes" }).waitFor()
    expect(await other.page.locator("code").allInnerTexts()).not.toContain(codes[4])
    await browser.closeAndVerify()
    await other.closeAndVerify()
  })
})

test("a session from before is asked for it before a change", async () => {
  const early = await openSignedInBrowser("rhea")
  const browser = await openSignedInBrowser("rhea")
  const { key } = await addApp(browser)
  const { page } = early
  await page.goto(path)
  await page.getByRole("button", { name: "Remove authenticator app" }).click()
  await page.waitForURL(/signin\/second-factor\?step-up=true/)
  await page.getByRole("link", { name: "Cancel" }).click()
  await page.waitForURL(path)
  await page.getByRole("button", { name: "Remove authenticator app" }).click()
  await enterCode(page, showCode(key))
  await page.waitForURL(path)
  await page.getByRole("button", { name: "Remove authenticator app" }).click()
  await page.getByRole("link", { name: "Add an authenticator app" }).waitFor()
  await early.closeAndVerify()
  await browser.closeAndVerify()
})

test.each(["light", "dark"] as const)(
  "the pages have no accessibility problem (%s)",
  async (colorScheme) => {
    const browser = await openSignedInBrowser(`sol-${colorScheme}`)
    const { page } = browser
    await page.emulateMedia({ colorScheme })
    const check = async () => {
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await readOverflow(page)).toBe(0)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    await page.goto(path)
    await check()
    await addApp(browser)
    await check()
    await browser.closeAndVerify()
  },
)
