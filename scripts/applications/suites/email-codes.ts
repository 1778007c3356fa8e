/** Tests the code of an e-mail on a page of the application, in Chromium with scripts and without. */
import type { Page } from "playwright-core"
import { beforeEach, describe, expect, test } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import type { ApplicationFixture } from "../application-fixture.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

export function testEmailCodes(
  { chromium, runsAll }: ApplicationSuite,
  fixture: () => ApplicationFixture,
): void {
  describe("e-mail codes", () => {
    countSuiteSeconds("e-mail codes")
    beforeEach(({ onTestFailed }) => {
      const before = fixture().output().length
      onTestFailed(() => console.error(fixture().output().slice(before)))
    })

    test.each([true, ...(runsAll ? [false] : [])])(
      "forms send the e-mail and take its code, with scripts: %s",
      async (javaScriptEnabled) => {
        const user = await openTestBrowser(chromium(), fixture().origin, javaScriptEnabled)
        const email = `${javaScriptEnabled ? "scripts" : "forms"}@example.com`
        await openCodePage(user.page)
        await user.page.getByLabel("E-mail").fill(email)
        await user.page.getByRole("button", { name: "Send", exact: true }).click()
        await user.page.waitForURL("/probe/code?provider=nodemailer&type=email")
        const { code } = await fixture().mailbox.waitForMail()
        await submitCode(user.page, createWrongCode(code))
        await user.page.getByRole("alert").getByText("incorrect, 4 attempts left").waitFor()
        await submitCode(user.page, code)
        await user.page.waitForURL("/probe/session")
        const response = await user.context.request.get("/probe/session")
        expect(await response.json()).toMatchObject({ session: { user: { email } } })
        await user.context.close()
        // The router of SvelteKit 2 reports paths that are no pages, before it loads them.
        const expected = /status of 4\d\d|Not found: \/(?:auth\/verify-request|probe\/session)\n/
        expect(user.pageErrors.filter((problem) => !expected.test(problem))).toEqual([])
      },
    )

    test.runIf(runsAll)("scripts of the page send the e-mail and submit its code", async () => {
      const { page, closeAndVerify } = await openTestBrowser(chromium(), fixture().origin)
      const request = { provider: "nodemailer", email: "client@example.com" }
      await openCodePage(page)
      await page.getByLabel("E-mail").fill(request.email)
      await page.getByRole("button", { name: "Send by script" }).click()
      expect(await readResult(page, "email-sent")).toMatchObject({ ok: true, ...request })
      const { code } = await fixture().mailbox.waitForMail()
      await page.getByLabel("Code").fill(createWrongCode(code))
      await page.getByRole("button", { name: "Sign in by script" }).click()
      expect(await readResult(page, "refused")).toMatchObject({
        error: "Verification",
        reason: "incorrect",
        attemptsLeft: 4,
      })
      await page.getByLabel("Code").fill(`${code}`)
      await page.getByRole("button", { name: "Sign in by script" }).click()
      expect(await readResult(page, "signed-in")).toMatchObject({
        session: { user: { email: request.email } },
        url: `${fixture().origin}/probe/session`,
      })
      await closeAndVerify()
    })
  })
}

/** Opens the page, and waits until its scripts handle events. */
async function openCodePage(page: Page): Promise<void> {
  await page.goto("/probe/code", { waitUntil: "networkidle" })
}

async function submitCode(page: Page, code: string | undefined): Promise<void> {
  await page.getByLabel("Code").fill(`${code}`)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

/** Another code, written as people write it. */
function createWrongCode(code: string | undefined): string {
  const digits = `${(Number(code) + 1) % 1_000_000}`.padStart(6, "0")
  return `${digits.slice(0, 3)} ${digits.slice(3)}`
}

async function readResult(page: Page, kind: string): Promise<unknown> {
  const output = page.locator("output", { hasText: `"kind":"${kind}"` })
  return JSON.parse((await output.textContent()) ?? "")
}
