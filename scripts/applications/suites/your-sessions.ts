/** Tests the page "Your sessions" of every example in Chromium. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openTestBrowser, type TestBrowser } from "../../../demo/test/support/browser.ts"
import { readOverflow } from "../../../demo/test/support/page-checks.ts"
import type { RunningExample } from "../running-example.ts"
import {
  type ApplicationSuite,
  countSuiteSeconds,
  listScriptModes,
  takeScreenshot,
} from "./suite.ts"

/** React 19.1 does not send the button of a form whose field is named "id", so Next.js has another name. */
const idFields = "[name=id], [name=sessionId]"

export function testYourSessions(
  { application, chromium, runsAll }: ApplicationSuite,
  example: () => RunningExample,
): void {
  describe("your sessions", () => {
    countSuiteSeconds("your sessions")
    describe.each(listScriptModes(application).slice(0, runsAll ? 2 : 1))(
      "with scripts: %s",
      (hasScripts) => {
        /** Opens a browser in which Ann is signed in. */
        const openAnnsBrowser = async () => {
          const ann = await openTestBrowser(chromium(), example().origin, hasScripts)
          await ann.page.goto("/signin?callbackUrl=/members", { waitUntil: "networkidle" })
          await ann.page.getByLabel("E-mail").fill("ann@example.com")
          await ann.page.getByLabel("Password").fill("correct horse battery staple")
          await ann.page.getByRole("main").getByRole("button", { name: "Sign in" }).last().click()
          await findHeading(ann.page, "Members only")
          await ann.page.waitForLoadState("networkidle")
          return ann
        }

        test("a session that is ended elsewhere is signed out at its next request", async () => {
          const lost = await openAnnsBrowser()
          const kept = await openAnnsBrowser()
          const { page } = kept
          await page.getByRole("banner").getByRole("link", { name: "Account" }).click()
          await page.getByRole("link", { name: "Your sessions" }).click()
          await findHeading(page, "Your sessions")
          await page.waitForLoadState("networkidle")
          const text = await sessionItems(page).first().innerText()
          expect(text).toMatch(
            /Chrome on Linux\s+Signed in 20[\d-]{8}, last used 20[\d-]{8}\s+This session/,
          )
          const count = await sessionItems(page).count()
          const name = `${application.name}-${hasScripts ? "scripts" : "plain"}-sessions`
          await page.setViewportSize({ width: 320, height: 640 })
          expect(await readOverflow(page)).toBe(0)
          await takeScreenshot(page, name)

          // The latest come first.
          await sessionItems(page).nth(1).getByRole("button", { name: "Sign out" }).click()
          await expect.poll(() => sessionItems(page).count()).toBe(count - 1)
          await expectSignedOut(lost)
          await page.reload()
          await findHeading(page, "Your sessions")
          await lost.context.close()
          await kept.closeAndVerify()
        })

        test.runIf(runsAll)("all other sessions end with one button", async () => {
          const others = [await openAnnsBrowser(), await openAnnsBrowser()]
          const kept = await openAnnsBrowser()
          const { page } = kept
          await openSessions(page)
          await page.getByRole("button", { name: "Sign out everywhere else" }).click()
          await expect.poll(() => sessionItems(page).count()).toBe(1)
          for (const other of others) {
            await expectSignedOut(other)
            await other.context.close()
          }
          await page.reload()
          await findHeading(page, "Your sessions")
          expect(await page.getByRole("button", { name: "everywhere else" }).count()).toBe(0)
          await kept.closeAndVerify()
        })
      },
    )

    test.runIf(runsAll)("neither another user nor another site can end a session", async () => {
      const ada = await openTestBrowser(chromium(), example().origin)
      const adasOther = await openTestBrowser(chromium(), example().origin, false)
      const mei = await openTestBrowser(chromium(), example().origin, false)
      const meisOther = await openTestBrowser(chromium(), example().origin, false)
      await signInAtAlder(ada.page, "Ada Lindqvist")
      await signInAtAlder(adasOther.page, "Ada Lindqvist")
      await signInAtAlder(mei.page, "Mei Tanaka")
      await signInAtAlder(meisOther.page, "Mei Tanaka")
      await openSessions(adasOther.page)
      const adasIds = await adasOther.page
        .getByRole("main")
        .locator(idFields)
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
      expect(adasIds.length).toBeGreaterThan(0)

      await openSessions(meisOther.page)
      for (const id of adasIds) {
        const field = meisOther.page.getByRole("main").locator(idFields).first()
        await field.evaluate((element, value) => {
          ;(element as HTMLInputElement).value = value
        }, id)
        await sessionItems(meisOther.page).getByRole("button", { name: "Sign out" }).first().click()
        await findHeading(meisOther.page, "Your sessions")
      }
      await expectSignedIn(ada)

      const form = adasOther.page.locator("form", { hasText: "everywhere else" })
      const url = await form.evaluate((element) => (element as HTMLFormElement).action)
      const { request } = adasOther.context
      const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
      await request.post(url, { headers, form: {} }).catch(() => {})
      await request.get(url).catch(() => {})
      await expectSignedIn(ada)
      for (const browser of [ada, adasOther, mei, meisOther]) await browser.context.close()
    })
  })
}

async function openSessions(page: Page): Promise<void> {
  await page.goto("/account/sessions", { waitUntil: "networkidle" })
  await findHeading(page, "Your sessions")
}

async function signInAtAlder(page: Page, name: string): Promise<void> {
  await page.goto("/members", { waitUntil: "networkidle" })
  await page.getByRole("button", { name: "Continue with Alder ID" }).click()
  await page.getByRole("button", { name }).click()
  await findHeading(page, "Members only")
}

function findHeading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
}

function sessionItems(page: Page) {
  return page.getByRole("main").getByRole("listitem")
}

async function expectSignedOut({ page }: TestBrowser): Promise<void> {
  await page.goto("/account/sessions", { waitUntil: "networkidle" })
  await findHeading(page, "Sign in")
}

async function expectSignedIn({ page }: TestBrowser): Promise<void> {
  await page.goto("/members", { waitUntil: "networkidle" })
  await findHeading(page, "Members only")
}
