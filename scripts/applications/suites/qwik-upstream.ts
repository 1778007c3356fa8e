/**
 * Tests how Qwik itself behaves after an action that redirects to the same page. Qwik 2 shows stale data, so the
 * adapter loads a new page (`packages/qwik/src/redirect.ts`). If the test for Qwik 2 fails, Qwik has fixed this.
 */
import { describe, expect, test } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import type { ApplicationFixture } from "../application-fixture.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

export function testStaleData(
  { application, chromium }: ApplicationSuite,
  fixture: () => ApplicationFixture,
): void {
  describe("stale data of Qwik", () => {
    countSuiteSeconds("stale data of Qwik")
    const isOlder = application.overlay === undefined
    const expected = isOlder ? "1" : "0"

    test(`after an action, its data is ${isOlder ? "fresh" : "stale until a reload"}`, async () => {
      const { page, context } = await openTestBrowser(chromium(), fixture().origin)
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
