/** Tests passkeys with frameworks, in Chromium with its virtual authenticator. */
import type { Browser, Page } from "playwright-core"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openForm, openTestBrowser, type TestBrowser } from "../../../demo/test/support/browser.ts"
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from "../../test-setup/virtual-authenticator.ts"
import { type ApplicationFixture, openApplicationFixture } from "../application-fixture.ts"
import { findFreePort } from "../application-server.ts"
import { annCredentials } from "../behaviours/behaviour.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

export function testPasskeys(
  { application, chromium, runsAll }: ApplicationSuite,
  fixture: () => ApplicationFixture,
): void {
  describe("passkeys", () => {
    countSuiteSeconds("passkeys")
    let passkey: Passkey

    beforeAll(async () => {
      passkey = await registerPasskey(chromium(), fixture())
    })
    beforeEach(({ onTestFailed }) => {
      const before = fixture().output().length
      onTestFailed(() => console.error(fixture().output().slice(before)))
    })

    /** Opens a browser without a session, on the device with the passkey. */
    const openOwner = async (): Promise<PasskeyOwner> => {
      const user = await openTestBrowser(chromium(), fixture().origin)
      const authenticator = await addVirtualAuthenticator(user.page)
      // The device increments a counter, which the server stores.
      passkey = { ...passkey, signCount: passkey.signCount + 10 }
      await authenticator.addPasskey(passkey)
      return { ...user, device: authenticator }
    }

    test.runIf(runsAll)("signs in on the sign-in page with the button", async () => {
      const { page, ...rest } = await openOwner()
      await disableConditionalMediation(page)
      await page.goto(signInPath(fixture()))
      await page.getByRole("button", { name: "Sign in with a passkey" }).click()
      await expectAnn(page)
      await closeBrowser(rest)
    })

    test.runIf(runsAll)("signs in on the sign-in page through autofill", async () => {
      const { page, ...rest } = await openOwner()
      // The virtual device responds immediately, as if the user picked the passkey.
      await page.goto(signInPath(fixture()))
      await expectAnn(page)
      await closeBrowser(rest)
    })

    test("signs in on a page of the application", async () => {
      const { page, ...rest } = await openOwner()
      await page.goto("/probe/passkeys")
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await expectAnn(page)
      await closeBrowser(rest)
    })

    test.runIf(runsAll)(
      "signs nobody in if the user cancels, and the sign-in page shows it",
      async () => {
        const { page, ...rest } = await openOwner()
        await rest.device.removePasskeys()
        const unverifiedAuthenticator = await addVirtualAuthenticator(page, {
          transport: "usb",
          isUserVerified: false,
        })
        await unverifiedAuthenticator.addPasskey(passkey)
        await disableConditionalMediation(page)
        await page.goto(signInPath(fixture()))
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("alert").getByText("No passkey was used.").waitFor()
        await expectSignedOut(page)
        await closeBrowser(rest)
      },
    )

    test.runIf(runsAll)(
      "signs nobody in if the device has no passkey or a copied one",
      async () => {
        const { page, ...rest } = await openOwner()
        await rest.device.removePasskeys()
        await page.goto("/probe/passkeys")
        await page.getByRole("button", { name: "Use a passkey" }).click()
        await page.getByText('"kind":"cancelled"').waitFor()
        await rest.device.addPasskey({ ...passkey, signCount: 0 })
        await page.getByRole("button", { name: "Use a passkey" }).click()
        await page.waitForURL(/\/error\?error=WebAuthnVerificationError&callbackUrl=/)
        await expectSignedOut(page)
        await closeBrowser(rest)
      },
    )

    test.runIf(runsAll)("is refused if another website requested it", async () => {
      const { page, ...rest } = await openOwner()
      await disableConditionalMediation(page)
      await page.goto("/probe/session")
      const otherOrigin = `http://localhost:${fixture().port + 1000}`
      const data = await signChallengeOnOtherOrigin(otherOrigin, { page, ...rest }, fixture())
      await page.evaluate(submitForm, { action: `${fixture().basePath}/callback/passkey`, data })
      await page.waitForURL(/\/error\?error=WebAuthnVerificationError$/)
      expect(fixture().output()).toContain(`origin "${otherOrigin}"`)
      await expectSignedOut(page)
      await closeBrowser(rest)
    })

    if (application.framework !== "qwik") return
    // In this mode, Vite prebundles the dependencies of Qwik's packages, but not these packages.
    test("works in development mode", async () => {
      await using developmentFixture = await openApplicationFixture(
        application,
        "named",
        await findFreePort(0),
        "development",
      )
      const { page, context } = await openTestBrowser(chromium(), developmentFixture.origin)
      await page.goto("/probe/passkeys")
      const addPasskey = async () => {
        await page.getByRole("button", { name: "Add a passkey" }).click()
        return page.textContent("output")
      }
      // The development server discovers dependencies and reloads the page. Until then, no event handlers exist.
      await expect
        .poll(addPasskey, { interval: 200, timeout: 20_000 })
        .toContain("AccountNotLinked")
      await context.close()
    })
  })
}

type Passkey = Awaited<ReturnType<VirtualAuthenticator["listPasskeys"]>>[number]

interface PasskeyOwner extends TestBrowser {
  readonly device: VirtualAuthenticator
}

/** Ann signs in with a password, adds a passkey on a page of the application, and signs out. */
async function registerPasskey(chromium: Browser, fixture: ApplicationFixture): Promise<Passkey> {
  const { page, ...rest } = await openTestBrowser(chromium, fixture.origin)
  await page.goto(signInPath(fixture, "/probe/passkeys"))
  await openForm(page, "a password")
  await page.getByLabel("E-mail").fill(annCredentials.email)
  await page.getByLabel("Password").fill(annCredentials.password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.waitForURL("/probe/passkeys")
  const authenticator = await addVirtualAuthenticator(page)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByText('"kind":"signed-in"').waitFor()
  const [passkey] = await authenticator.listPasskeys()
  await page.goto(`${fixture.basePath}/signout?callbackUrl=/probe/session`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL("/probe/session")
  await expectSignedOut(page)
  await closeBrowser(rest)
  if (!passkey) throw new Error("There is no passkey on the device.")
  return passkey
}

function signInPath({ basePath }: ApplicationFixture, callbackUrl = "/probe/session"): string {
  return `${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
}

/** Disables autofill, because Chromium's virtual device would respond before the button is pressed. */
async function disableConditionalMediation(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}

/** Asserts that Ann is signed in, on the page she was redirected to. */
async function expectAnn(page: Page): Promise<void> {
  await page.waitForURL("/probe/session")
  expect(JSON.parse((await page.textContent("body")) ?? "")).toMatchObject({
    session: { user: { email: annCredentials.email } },
  })
}

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto("/probe/session")
  expect(JSON.parse((await page.textContent("body")) ?? "")).toEqual({ session: null })
}

/** Requests an assertion on a page of another port: passkeys depend on the host, but the response names the origin. */
async function signChallengeOnOtherOrigin(
  otherOrigin: string,
  owner: PasskeyOwner,
  { basePath }: ApplicationFixture,
): Promise<string> {
  const otherPage = await owner.context.newPage()
  const html = { contentType: "text/html", body: "<p>" }
  await otherPage.route(`${otherOrigin}/`, (route) => route.fulfill(html))
  await otherPage.goto(otherOrigin)
  const otherAuthenticator = await addVirtualAuthenticator(otherPage)
  for (const passkey of await owner.device.listPasskeys())
    await otherAuthenticator.addPasskey(passkey)
  const path = `${basePath}/webauthn-options/passkey?action=authenticate`
  const optionsResponse = await owner.context.request.get(path)
  const assertion = await otherPage.evaluate(signChallenge, (await optionsResponse.json()).options)
  await otherPage.close()
  return JSON.stringify(assertion)
}

/** Requests an assertion with the given options in the browser. */
async function signChallenge(options: { challenge: string; rpId: string }): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return (credential as PublicKeyCredential).toJSON() // only `publicKey` was requested
}

/** Sends a response with a form, as the sign-in page does. */
function submitForm({ action, data }: { action: string; data: string }): void {
  const form = document.createElement("form")
  Object.assign(form, { method: "post", action })
  for (const [name, value] of Object.entries({ action: "authenticate", data })) {
    const input = document.createElement("input")
    Object.assign(input, { type: "hidden", name, value })
    form.append(input)
  }
  document.body.append(form)
  HTMLFormElement.prototype.submit.call(form)
}

/** Closes the browser. Only refusals of the server may be in the console. */
async function closeBrowser({
  context,
  pageErrors,
}: Pick<TestBrowser, "context" | "pageErrors">): Promise<void> {
  await context.close()
  expect(pageErrors.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([])
}
