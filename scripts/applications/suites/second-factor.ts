/** Tests the page "Second factor" of examples in Chromium, with Latchkey's pages for it. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { showCode, waitForStep } from "../../../demo/test/support/authenticator-app.ts"
import { openTestBrowser, type TestBrowser } from "../../../demo/test/support/browser.ts"
import type { RunningExample } from "../running-example.ts"
import { type ApplicationSuite, countSuiteSeconds, listScriptModes } from "./suite.ts"

const path = "/account/second-factor"

export function testSecondFactor(
  { application, chromium, runsAll }: ApplicationSuite,
  example: () => RunningExample,
): void {
  describe.runIf(runsAll)("second factor", () => {
    countSuiteSeconds("second factor")
    test.each(listScriptModes(application))("with scripts: %s", async (hasScripts) => {
      const open = async () => {
        const browser = await openTestBrowser(chromium(), example().origin, hasScripts)
        await signInAtAlder(browser.page)
        return browser
      }
      const early = await open()
      await findHeading(early.page, "Members only")
      const { key, codes } = await enrol(await open())

      const second = await open()
      await enterCode(second.page, "000000")
      await second.page.getByText("This code is incorrect.").waitFor()
      await second.page.goto("/members", { waitUntil: "networkidle" })
      await findHeading(second.page, "Sign in")
      await signInAtAlder(second.page)
      await enterCode(second.page, showCode(key))
      await findHeading(second.page, "Members only")

      const recovering = await open()
      await recovering.page.getByRole("link", { name: "Use a recovery code" }).click()
      await enterCode(recovering.page, codes[0] ?? "")
      await findHeading(recovering.page, "Members only")

      const { page } = early
      await page.goto(path, { waitUntil: "networkidle" })
      await page.getByText("9 left").waitFor()
      await page.getByRole("button", { name: "Remove" }).click()
      await enterCode(page, showCode(key, 1))
      await findHeading(page, "Second factor")
      await page.waitForLoadState("networkidle")
      await page.getByRole("button", { name: "Remove" }).click()
      await page.getByRole("link", { name: "Add an authenticator app" }).waitFor()
      for (const browser of [second, recovering]) await browser.context.close()
      await early.closeAndVerify()
    })
  })
}

/** Adds an app. Returns its key, and the recovery codes. */
async function enrol({ page, closeAndVerify }: TestBrowser) {
  await findHeading(page, "Members only")
  await page.goto("/account", { waitUntil: "networkidle" })
  await page.getByRole("link", { name: "Second factor" }).click()
  await page.getByRole("link", { name: "Add an authenticator app" }).click()
  await findHeading(page, "Set up an authenticator app")
  const key = await page.locator("code").innerText()
  // One step earlier, so that the next one can be used at once.
  await waitForStep()
  await enterCode(page, showCode(key, -1))
  await findHeading(page, "Save your recovery codes")
  const codes = await page.getByRole("listitem").allInnerTexts()
  expect(codes).toHaveLength(10)
  await page.getByRole("link", { name: "I have saved the codes" }).click()
  await page.getByText("10 left").waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await page.waitForLoadState("networkidle")
  await closeAndVerify()
  return { key, codes }
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox").fill(code)
  await page.getByRole("button", { name: "Continue" }).click()
}

async function signInAtAlder(page: Page): Promise<void> {
  await page.goto("/members", { waitUntil: "networkidle" })
  await page.getByRole("button", { name: "Continue with Alder ID" }).click()
  await page.getByRole("button", { name: "Tomás Okafor" }).click()
}

function findHeading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
}
