/** The components and the client of `@latchkey/sveltekit`, on a prerendered page, with scripts and without. */
import { describe, expect, test } from "vitest"
import { openTestBrowser, type TestBrowser } from "../../../demo/test/support/browser.ts"
import type { ApplicationFixture } from "../application-fixture.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

export function testComponents(
  { chromium, runsAll }: ApplicationSuite,
  fixture: () => ApplicationFixture,
): void {
  describe("components", () => {
    countSuiteSeconds("components")
    describe.each([true, false])("with scripts: %s", (hasScripts) => {
      test("forms sign in with a password and sign out", async () => {
        const ann = await openTestBrowser(chromium(), fixture().origin, hasScripts)
        await ann.page.goto("/probe/components", { waitUntil: "networkidle" })
        await ann.page.getByLabel("Address").fill("ann@example.com")
        await ann.page.getByRole("button", { name: "By snippet", exact: true }).click()
        await ann.page.waitForURL("/probe/session")
        expect(await ann.page.textContent("body")).toContain('"name":"Ann"')
        await ann.page.goto("/probe/components", { waitUntil: "networkidle" })
        await ann.page.getByRole("button", { name: "Sign out by snippet" }).click()
        await ann.page.waitForURL("/probe/session")
        expect(await ann.page.textContent("body")).toContain('"session":null')
        await closeBrowser(ann)
      })

      test.runIf(runsAll)(
        "a form redirects to the provider with the parameters of the page",
        async () => {
          const ada = await openTestBrowser(chromium(), fixture().origin, hasScripts)
          const requestedUrls: URL[] = []
          ada.page.on("request", (request) => requestedUrls.push(new URL(request.url())))
          await ada.page.goto("/probe/components", { waitUntil: "networkidle" })
          await ada.page.getByRole("button", { name: "By slot", exact: true }).click()
          await ada.page.getByRole("button", { name: "Ada Lindqvist" }).waitFor()
          const authorization = requestedUrls.find(
            ({ pathname }) => pathname === "/oauth2/authorize",
          )
          expect(authorization?.searchParams.get("prompt")).toBe("login")
          await ada.context.close()
        },
      )

      test.runIf(runsAll)("a form without a provider redirects to the sign-in page", async () => {
        const user = await openTestBrowser(chromium(), fixture().origin, hasScripts)
        await user.page.goto("/probe/components", { waitUntil: "networkidle" })
        await user.page.getByRole("button", { name: "Sign in", exact: true }).click()
        await user.page.waitForURL(/\/signin(\?|$)/)
        await closeBrowser(user)
      })
    })

    test("the client signs in and out without leaving the page", async () => {
      const ann = await openTestBrowser(chromium(), fixture().origin)
      await ann.page.goto("/probe/components", { waitUntil: "networkidle" })
      await ann.page.getByRole("button", { name: "Client in" }).click()
      await ann.page.getByText('"ok":true').waitFor()
      expect(
        (await fixture().readSession(await copyBrowser(ann, fixture()))) as object,
      ).toMatchObject({
        user: { name: "Ann" },
      })
      await ann.page.getByRole("button", { name: "Client out" }).click()
      await expect
        .poll(async () => fixture().readSession(await copyBrowser(ann, fixture())))
        .toBeNull()
      await ann.closeAndVerify()
    })
  })
}

/** Returns a test browser with the cookies of Chromium. */
async function copyBrowser({ context }: TestBrowser, { openBrowser, origin }: ApplicationFixture) {
  const browser = openBrowser()
  for (const { name, value } of await context.cookies()) {
    browser.cookies.setUnchecked(origin, `${name}=${value}; Path=/`)
  }
  return browser
}

/** Like `leave`, but accepts SvelteKit's console message about a form that leads to another server's page. */
async function closeBrowser({ context, pageErrors }: TestBrowser): Promise<void> {
  await context.close()
  expect(pageErrors.filter((problem) => !/ Not found: \/|status of 404/.test(problem))).toEqual([])
}
