/** Error reports of failed sign-ins appear once, in the browser of that sign-in. */
import { describe, expect, test } from "vitest"
import { openSignIn } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"

const { openBrowser } = useDemo()

describe.each([true, false])("with JavaScript: %s", (javaScript) => {
  test("a refusal at a provider shows a report below the message until you leave the page", async () => {
    const ada = await openBrowser(javaScript)
    const { page } = ada
    await openSignIn(page)
    await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await page.getByRole("button", { name: "Cancel and go back" }).click()
    await page.waitForURL("**/auth/signin?error=OAuthCallbackError")

    const errorReport = page.getByRole("region", { name: "OAuthCallbackError" })
    await errorReport.waitFor()
    expect(await errorReport.innerText()).toContain("access_denied")
    expect(await errorReport.innerText()).toContain("npx @latchkey/cli explain OAuthCallbackError")

    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    expect(await page.evaluate(overflow)).toBe(0)

    await page.reload()
    expect(await errorReport.count()).toBe(0)
    expect(await page.getByRole("alert").count()).toBe(1)
    await ada.closeAndVerify()
  })
})
