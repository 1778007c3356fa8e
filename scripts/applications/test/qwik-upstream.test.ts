/**
 * Tests how Qwik itself behaves after an action that redirects to the same page. Qwik 2 shows stale data, so the
 * adapter loads a new page (`packages/qwik/src/redirect.ts`). If the test for Qwik 2 fails, Qwik has fixed this.
 */
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium, openTestBrowser } from "../../../demo/test/support/browser.ts"
import { type ApplicationFixture, openApplicationFixture } from "../application-fixture.ts"
import { findFreePort } from "../application-server.ts"
import { applications } from "../catalogue.ts"
import { isSkipped } from "../skipped-applications.ts"

let chromium: Browser

beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium?.close())

for (const [index, application] of applications.entries()) {
  if (application.framework !== "qwik") continue
  describe.skipIf(isSkipped(application))(application.title, () => {
    let fixture: ApplicationFixture

    beforeAll(async () => {
      fixture = await openApplicationFixture(
        application,
        "plain",
        await findFreePort(24_200 + index),
      )
    })
    afterAll(() => fixture?.[Symbol.asyncDispose]())

    const isOlder = application.overlay === undefined
    const expected = isOlder ? "1" : "0"

    test(`after an action, its data is ${isOlder ? "fresh" : "stale until a reload"}`, async () => {
      const { page, context } = await openTestBrowser(chromium, fixture.origin)
      await page.goto("/probe/stale", { waitUntil: "networkidle" })
      const shown = page.locator("output")
      expect(await shown.textContent()).toBe("0")
      const answered = page.waitForResponse((answer) => answer.request().method() === "POST")
      await page.getByRole("button", { name: "Count" }).click()
      await answered
      if (isOlder) await expect.poll(() => shown.textContent()).toBe(expected)
      // Enough time to load the data, if Qwik loads it.
      else await page.waitForTimeout(1500)
      expect(await shown.textContent()).toBe(expected)
      await page.reload({ waitUntil: "networkidle" })
      expect(await shown.textContent()).toBe("1")
      await context.close()
    })
  })
}
