/** Tests the page "Security" of examples in Chromium, with Latchkey's pages for it. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { showCode, waitForStep } from "../../../demo/test/support/authenticator-app.ts"
import { openTestBrowser, type TestBrowser } from "../../../demo/test/support/browser.ts"
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from "../../test-setup/virtual-authenticator.ts"
import type { Application } from "../catalogue.ts"
import type { RunningExample } from "../running-example.ts"
import { type ApplicationSuite, countSuiteSeconds, listScriptModes } from "./suite.ts"

const path = "/account/security"

export function testSecondFactor(suite: ApplicationSuite, example: () => RunningExample): void {
  const { application, chromium, runsAll } = suite
  describe.runIf(runsAll)("second factor", () => {
    countSuiteSeconds("second factor")
    testPasskeyFactor(suite, example)
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
      await findHeading(page, "Security")
      await page.waitForLoadState("networkidle")
      await page.getByRole("button", { name: "Remove" }).click()
      await page.getByText("Protect your account").waitFor()
      for (const browser of [second, recovering]) await browser.context.close()
      await early.closeAndVerify()
    })
  })
}

/** The frameworks whose examples have passkeys. */
const frameworksWithPasskeys: readonly Application["framework"][] = ["express", "sveltekit", "next"]

/** Tests passkeys as second factors, with Chromium's virtual authenticator. */
function testPasskeyFactor(
  { application, chromium }: ApplicationSuite,
  example: () => RunningExample,
): void {
  const hasPasskeys = frameworksWithPasskeys.includes(application.framework)
  test.runIf(hasPasskeys)("a passkey: added, asked for, replaced, and removed", async () => {
    const open = async (hasScripts = true) => {
      const browser = await openTestBrowser(chromium(), example().origin, hasScripts)
      const device = hasScripts ? await addVirtualAuthenticator(browser.page) : undefined
      await signIn(browser.page, "Mei Tanaka")
      return { ...browser, device }
    }
    const early = await open()
    await findHeading(early.page, "Members only")
    // An app comes first, for the recovery codes.
    const { key, codes } = await enrol(await open())
    const first = await open()
    await enterCode(first.page, showCode(key))
    await findHeading(first.page, "Members only")
    // Enrolment, on Latchkey's own page.
    await first.page.goto(path, { waitUntil: "networkidle" })
    await first.page.getByRole("link", { name: "Add a passkey" }).click()
    await first.page.getByRole("button", { name: "Create a passkey" }).click()
    await expect.poll(() => first.page.getByRole("button", { name: "Remove" }).count()).toBe(2)
    const [passkey] = (await first.device?.listPasskeys()) ?? []
    expect(passkey).toBeDefined()
    const give = async (device: VirtualAuthenticator | undefined, uses: number) => {
      if (passkey) await device?.addPasskey({ ...passkey, signCount: passkey.signCount + uses })
    }
    // Sign-in: the passkey is asked for, and nothing else lets anybody in.
    const second = await open()
    await findHeading(second.page, "One more step")
    await second.page.goto("/members", { waitUntil: "networkidle" })
    await findHeading(second.page, "Sign in")
    await signIn(second.page, "Mei Tanaka")
    await give(second.device, 10)
    await second.page.getByRole("button", { name: "Use a passkey" }).click()
    await findHeading(second.page, "Members only")
    // Step-up, in a session from before, which stays the same.
    await give(early.device, 20)
    await early.page.goto(stepUpPath(application), { waitUntil: "networkidle" })
    await early.page.getByRole("button", { name: "Use a passkey" }).click()
    await findHeading(early.page, "Security")
    // Recovery: somebody who has lost both devices, without scripts. The page says that a passkey needs them.
    const plain = await open(false)
    await findHeading(plain.page, "One more step")
    await plain.page.locator("noscript p").waitFor()
    await plain.page.getByRole("link", { name: "Use a recovery code" }).click()
    await enterCode(plain.page, codes[0] ?? "")
    await findHeading(plain.page, "Members only")
    // Removal, with and without scripts: these sessions have proven both factors.
    await plain.page.goto(path, { waitUntil: "networkidle" })
    await plain.page.getByRole("button", { name: "Remove" }).last().click()
    await expect.poll(() => plain.page.getByRole("button", { name: "Remove" }).count()).toBe(1)
    await early.page.goto(path, { waitUntil: "networkidle" })
    await early.page.getByRole("button", { name: "Remove" }).click()
    await early.page.getByText("Protect your account").waitFor()
    // From then on, one factor is enough again.
    const late = await open(false)
    await findHeading(late.page, "Members only")
    for (const browser of [first, second, plain, late]) await browser.context.close()
    await early.closeAndVerify()
  })
}

const stepUpPath = ({ basePath }: Application): string =>
  `${basePath}/signin/second-factor?step-up=true&callbackUrl=${path}`

/** Adds an app. Returns its key, and the recovery codes. */
async function enrol({ page, closeAndVerify }: TestBrowser) {
  await findHeading(page, "Members only")
  await page.goto("/account", { waitUntil: "networkidle" })
  await page.getByRole("link", { name: "Security" }).click()
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

const signInAtAlder = (page: Page): Promise<void> => signIn(page, "Tomás Okafor")

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto("/members", { waitUntil: "networkidle" })
  await page.getByRole("button", { name: "Continue with Alder ID" }).click()
  await page.getByRole("button", { name }).click()
}

function findHeading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
}
