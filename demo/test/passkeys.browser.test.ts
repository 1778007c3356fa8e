/** Passkeys in the demo, with Chromium's virtual authenticator. */
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from "../../scripts/test-setup/virtual-authenticator.ts"
import { openForm, openSignIn, signInWithTenant, type TestBrowser } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"
import { findViolations, readOverflow } from "./support/page-checks.ts"

const suite = useDemo()
const { openBrowser } = suite
const connectedAccountsPath = "/account/connected-accounts"

/** Creates a user with a passkey on the sign-in page. */
async function createPasskeyUser(
  name: string,
): Promise<TestBrowser & { device: VirtualAuthenticator }> {
  const testBrowser = await openBrowser()
  const authenticator = await addVirtualAuthenticator(testBrowser.page)
  // The device does not respond to autofill until the test continues.
  await authenticator.setUserPresence(false)
  await openSignIn(testBrowser.page)
  await openForm(testBrowser.page, "Create a passkey")
  await testBrowser.page.getByLabel("Your name").fill(name)
  await authenticator.setUserPresence(true)
  await testBrowser.page.getByRole("button", { name: "Create a passkey" }).click()
  await testBrowser.page.waitForURL("/journal")
  return { ...testBrowser, device: authenticator }
}

async function signOut(page: Page): Promise<void> {
  await page.goto("/account")
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL("/")
}

/** Uses the button, because Chromium's device responds to autofill immediately. */
async function signInWithPasskey({ page }: TestBrowser): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await openSignIn(page)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.waitForURL("/journal")
}

test("a new user creates a passkey and signs in with it", async () => {
  const robin = await createPasskeyUser("Robin Vale")
  expect(await robin.session()).toMatchObject({ user: { name: "Robin Vale" } })
  expect(await robin.device.listPasskeys()).toHaveLength(1)
  await suite.demo.waitForOutput("Robin Vale joined")

  await signOut(robin.page)
  await signInWithPasskey(robin)
  expect(await robin.session()).toMatchObject({ user: { name: "Robin Vale" } })
  await suite.demo.waitForOutput("Robin Vale signed in with a passkey")
  await robin.closeAndVerify()
})

test("a passkey signs in through autofill, without a button", async () => {
  const wren = await createPasskeyUser("Wren Holt")
  await signOut(wren.page)
  // The device responds as soon as the page offers passkeys, as if the user chose one from the list.
  await openSignInPage(wren.page)
  await wren.page.waitForURL("/journal")
  expect(await wren.session()).toMatchObject({ user: { name: "Wren Holt" } })
  await wren.closeAndVerify()
})

test("a passkey that was added on the page of connected accounts signs in the same user", async () => {
  const ada = await openBrowser()
  await addVirtualAuthenticator(ada.page)
  await signInWithTenant(ada.page)
  await addPasskey(ada.page)
  await ada.page.getByRole("status").getByText("Your passkey is ready").waitFor()
  const before = await getUserId(ada)

  await signOut(ada.page)
  await signInWithPasskey(ada)
  expect(await getUserId(ada)).toBe(before)

  await ada.page.goto(connectedAccountsPath)
  await ada.page.getByRole("button", { name: "Add a passkey" }).click()
  await ada.page.getByText("This device already has a passkey for you.").waitFor()
  await ada.closeAndVerify()
})

test("a passkey is renamed, and says when it was used", async () => {
  const cleo = await createPasskeyUser("Cleo Marsh")
  await expectPasskeys(cleo.page, 1)
  await cleo.page.getByText("Rename").click()
  await cleo.page.getByLabel("New name of passkey 1").fill("Cleo’s phone")
  await cleo.page.getByRole("button", { name: "Save" }).click()
  await cleo.page.getByText("Cleo’s phone").waitFor()
  expect(await cleo.page.getByText("last used").count()).toBe(0)
  await signOut(cleo.page)
  await signInWithPasskey(cleo)
  await cleo.page.goto(connectedAccountsPath)
  await cleo.page.getByText("last used").waitFor()
  expect(await findViolations(cleo.page)).toEqual([])
  await cleo.page.getByText("Rename").click()
  await cleo.page.setViewportSize({ width: 320, height: 640 })
  expect(await readOverflow(cleo.page)).toBe(0)
  await cleo.closeAndVerify()
})

test("the browser forgets passkeys that were removed", async () => {
  const rosa = await createPasskeyUser("Rosa Quill")
  await rosa.page.goto(connectedAccountsPath)
  const [first] = await rosa.device.listPasskeys()
  await rosa.device.removePasskeys()
  await addPasskey(rosa.page)
  const [second] = await rosa.device.listPasskeys()
  if (first) await rosa.device.addPasskey(first)
  expect(await rosa.device.listPasskeys()).toHaveLength(2)
  await rosa.page.goto(connectedAccountsPath)
  await rosa.page.getByRole("button", { name: "Remove passkey 1" }).click()
  await expectPasskeysEventually(rosa.page, 1)
  // `signalAllAcceptedCredentials` tells the device, too.
  await expect
    .poll(async () => (await rosa.device.listPasskeys()).map((each) => each.credentialId))
    .toEqual([second?.credentialId])
  await rosa.closeAndVerify()
})

test("a passkey that was removed is refused, and the other one still works", async () => {
  const lena = await createPasskeyUser("Lena Moss")
  const [first] = await lena.device.listPasskeys()
  await expectPasskeys(lena.page, 1)
  await lena.page.getByRole("button", { name: "Remove passkey 1" }).click()
  await lena.page.getByRole("alert").getByText("This is your only way to sign in.").waitFor()
  await expectPasskeys(lena.page, 1)

  await lena.device.removePasskeys()
  await addPasskey(lena.page)
  const [second] = await lena.device.listPasskeys()
  await expectPasskeys(lena.page, 2)
  expect(second?.credentialId).not.toBe(first?.credentialId)

  await lena.page.getByRole("button", { name: "Remove passkey 1" }).click()
  await expectPasskeys(lena.page, 1)

  await signOut(lena.page)
  await lena.device.removePasskeys()
  if (first) await lena.device.addPasskey({ ...first, signCount: first.signCount + 10 })
  await openSignInPage(lena.page)
  await expectRefused(lena)
  await suite.demo.waitForOutput("! WebAuthnVerificationError")
  // The sign-in page tells the browser.
  await expect.poll(async () => (await lena.device.listPasskeys()).length).toBe(0)

  if (second) await lena.device.addPasskey({ ...second, signCount: second.signCount + 10 })
  await openSignInPage(lena.page)
  await lena.page.waitForURL("/journal")
  expect(await lena.session()).toMatchObject({ user: { name: "Lena Moss" } })
  await lena.closeAndVerify()
})

test("a copied passkey is detected by its counter and refused", async () => {
  const nils = await createPasskeyUser("Nils Berg")
  const [stolen] = await nils.device.listPasskeys()
  await signOut(nils.page)
  await openSignInPage(nils.page)
  await nils.page.waitForURL("/journal")

  const thief = await openBrowser()
  const copy = await addVirtualAuthenticator(thief.page)
  if (stolen) await copy.addPasskey(stolen)
  await openSignInPage(thief.page)
  await expectRefused(thief)
  expect(await thief.session()).toBeNull()
  await suite.demo.waitForOutput("Expected a signature counter above")
  await thief.closeAndVerify()
  await nils.closeAndVerify()
})

test("a synchronised passkey signs in the same user in a second browser", async () => {
  const tess = await createPasskeyUser("Tess Orr")
  const id = await getUserId(tess)
  const [passkey] = await tess.device.listPasskeys()

  const secondBrowser = await openBrowser()
  const secondAuthenticator = await addVirtualAuthenticator(secondBrowser.page)
  if (passkey)
    await secondAuthenticator.addPasskey({ ...passkey, signCount: passkey.signCount + 1 })
  await openSignInPage(secondBrowser.page)
  await secondBrowser.page.waitForURL("/journal")
  expect(await getUserId(secondBrowser)).toBe(id)
  await secondBrowser.closeAndVerify()
  await tess.closeAndVerify()
})

test("an assertion for another origin is refused", async () => {
  const otto = await createPasskeyUser("Otto Lind")
  const [passkey] = await otto.device.listPasskeys()
  await signOut(otto.page)

  // Passkeys belong to a host and not to a port: the browser accepts this request, but records the other origin.
  const otherSiteUrl = `http://localhost:${suite.demo.port + 7}/`
  const otherSite = await otto.context.newPage()
  await otherSite.route(otherSiteUrl, (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>" }),
  )
  await otherSite.goto(otherSiteUrl)
  const otherAuthenticator = await addVirtualAuthenticator(otherSite)
  if (passkey) await otherAuthenticator.addPasskey({ ...passkey, signCount: passkey.signCount + 5 })

  const options = await otto.page.evaluate(async () => {
    const response = await fetch("/auth/webauthn-options/passkey?action=authenticate")
    return (await response.json()).options
  })
  const data = await otherSite.evaluate(requestAssertion, options)
  await otto.page.evaluate(submitAssertion, JSON.stringify(data))
  await expectRefused(otto)
  expect(await otto.session()).toBeNull()
  await otto.closeAndVerify()
})

test("without JavaScript, the pages say that passkeys require it", async () => {
  const reader = await openBrowser(false)
  await openSignInPage(reader.page)
  await expectNoscriptNote(reader.page, "To sign in with a passkey, turn on JavaScript.")
  expect(await reader.page.getByRole("button", { name: "Create a passkey" }).count()).toBe(0)
  await signInWithTenant(reader.page)
  await reader.page.goto(connectedAccountsPath)
  await expectNoscriptNote(reader.page, "Adding a passkey requires JavaScript.")
  await reader.closeAndVerify()
})

test("a user who cancels sees a message and can try again", async () => {
  const iris = await openBrowser()
  await openSignInPage(iris.page)
  await openForm(iris.page, "Create a passkey")
  await iris.page.getByRole("button", { name: "Create a passkey" }).click()
  expect(await iris.page.getByLabel("Your name").evaluate(isValid)).toBe(false)
  // Without a device, the request ends with a timeout.
  await iris.page.getByLabel("Your name").fill("Iris")
  await iris.page.evaluate(() => {
    const create = navigator.credentials.create.bind(navigator.credentials)
    navigator.credentials.create = (options) =>
      create({ ...options, signal: AbortSignal.timeout(50) })
  })
  await iris.page.getByRole("button", { name: "Create a passkey" }).click()
  await iris.page.getByRole("alert").getByText("The passkey did not work.").waitFor()
  expect(await iris.session()).toBeNull()
  await iris.closeAndVerify()
})

function isValid(input: Element): boolean {
  return input instanceof HTMLInputElement && input.validity.valid
}

/** Expects a note for browsers without scripts. */
async function expectNoscriptNote(page: Page, text: string): Promise<void> {
  const note = page.locator("noscript p")
  expect(await note.isVisible()).toBe(true)
  expect(await note.innerText()).toBe(text)
}

async function openSignInPage(page: Page): Promise<void> {
  await page.goto("/auth/signin?callbackUrl=%2Fjournal")
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto(connectedAccountsPath)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.waitForURL(/\/account\/connected-accounts\?linked=passkey/)
}

async function expectPasskeys(page: Page, count: number): Promise<void> {
  await page.goto(connectedAccountsPath)
  expect(await page.getByText(/^Passkey \d$/).count()).toBe(count)
}

async function expectPasskeysEventually(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByText(/^Passkey \d$/).count()).toBe(count)
}

async function expectRefused({ page }: TestBrowser): Promise<void> {
  await page.waitForURL(/error=WebAuthnVerificationError/)
}

async function getUserId(testBrowser: TestBrowser): Promise<unknown> {
  const session = await testBrowser.session()
  return (session as { user: { id: string } }).user.id
}

/** Requests an assertion on another site with options of this one. */
async function requestAssertion(options: { challenge: string; rpId: string }): Promise<unknown> {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
  const { challenge, rpId } = options
  const credential = await navigator.credentials.get({
    publicKey: { challenge: bytes(challenge), rpId, userVerification: "required" },
  })
  return (credential as PublicKeyCredential).toJSON()
}

function submitAssertion(data: string): void {
  const form = document.createElement("form")
  form.method = "post"
  form.action = "/auth/callback/passkey"
  for (const [name, value] of Object.entries({ action: "authenticate", data })) {
    const input = document.createElement("input")
    Object.assign(input, { type: "hidden", name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
