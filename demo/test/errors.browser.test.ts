/** What fails at a provider is explained in the browser in which it failed, once. */
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium, openSignIn, openTestBrowser } from "./support/browser.ts"
import { type RunningDemo, startDemo, temporaryFolder } from "./support/demo.ts"

const folder = temporaryFolder()
let demo: RunningDemo
let browser: Browser

beforeAll(async () => {
  demo = await startDemo(folder.path)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await demo.stop()
  folder[Symbol.dispose]()
})

describe.each([true, false])("with JavaScript: %s", (javaScript) => {
  test("a refusal at a provider shows what came, below the message, until the page is left", async () => {
    const ada = await openTestBrowser(browser, demo.origin, javaScript)
    const { page } = ada
    await openSignIn(page)
    await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await page.getByRole("button", { name: "Cancel and go back" }).click()
    await page.waitForURL("**/auth/signin?error=OAuthCallbackError")

    const errorReport = page.getByRole("region", { name: "OAuthCallbackError" })
    await errorReport.waitFor()
    expect(await errorReport.innerText()).toContain("access_denied")
    expect(await errorReport.innerText()).toContain("docs/errors.md#oauthcallbackerror")

    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    expect(await page.evaluate(overflow)).toBe(0)

    await page.reload()
    expect(await errorReport.count()).toBe(0)
    expect(await page.getByRole("alert").count()).toBe(1)
    await ada.closeAndVerify()
  })
})
