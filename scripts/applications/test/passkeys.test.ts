/** Passkeys where a framework is in between, in Chromium with its virtual authenticator. */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { launch, type Person, person } from "../../../demo/test/support/browser.ts"
import { type Device, device } from "../../../demo/test/support/device.ts"
import { ann } from "../behaviours/behaviour.ts"
import { applications } from "../catalogue.ts"
import { isSkipped } from "../chosen.ts"
import { openScene, type Scene } from "../scene.ts"
import { freePort } from "../server.ts"

let chromium: Browser

beforeAll(async () => {
  chromium = await launch()
})
afterAll(() => chromium?.close())

for (const [index, application] of applications.entries()) {
  // Express is in nobody's way: what holds for the core holds there.
  if (application.framework === "express") continue
  describe.skipIf(isSkipped(application))(application.title, () => {
    let scene: Scene
    let passkey: Passkey

    beforeAll(async () => {
      scene = await openScene(application, "named", await freePort(24_400 + index))
      passkey = await made(scene)
    })
    afterAll(() => scene?.[Symbol.asyncDispose]())
    beforeEach(({ onTestFailed }) => {
      const before = scene.output().length
      onTestFailed(() => console.error(scene.output().slice(before)))
    })

    /** Somebody whom nobody knows yet, at a device with the passkey. */
    const owner = async (): Promise<Owner> => {
      const somebody = await person(chromium, scene.origin)
      const own = await device(somebody.page)
      // A device counts how often it was asked, and the server remembers.
      passkey = { ...passkey, signCount: passkey.signCount + 10 }
      await own.add(passkey)
      return { ...somebody, device: own }
    }

    test("signs in at the sign-in page, with the button", async () => {
      const { page, ...rest } = await owner()
      await offersNothing(page)
      await page.goto(signInPath(scene))
      await page.getByRole("button", { name: "Sign in with Passkey" }).click()
      await seesAnn(page)
      await leave(rest)
    })

    test("signs in at the sign-in page, picked at a field", async () => {
      const { page, ...rest } = await owner()
      // The device answers as soon as it is asked: as if somebody picked it from the list.
      await page.goto(signInPath(scene))
      await seesAnn(page)
      await leave(rest)
    })

    test("signs in on a page of the application", async () => {
      const { page, ...rest } = await owner()
      await page.goto("/probe/passkeys")
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await seesAnn(page)
      await leave(rest)
    })

    test("signs nobody in when its owner says no, and the sign-in page says so", async () => {
      const { page, ...rest } = await owner()
      await rest.device.clear()
      const unwilling = await device(page, { transport: "usb", isUserVerified: false })
      await unwilling.add(passkey)
      await offersNothing(page)
      await page.goto(signInPath(scene))
      await page.getByRole("button", { name: "Sign in with Passkey" }).click()
      await page.getByRole("alert").getByText("No passkey was used.").waitFor()
      await seesNobody(page)
      await leave(rest)
    })

    test("signs nobody in on a page of the application when it is not there, nor as a copy", async () => {
      const { page, ...rest } = await owner()
      await rest.device.clear()
      await page.goto("/probe/passkeys")
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await page.getByText('"kind":"cancelled"').waitFor()
      await rest.device.add({ ...passkey, signCount: 0 })
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await page.waitForURL(/\/error\?error=WebAuthnVerificationError$/)
      await seesNobody(page)
      await leave(rest)
    })

    test("is refused when it was asked for by another website", async () => {
      const { page, ...rest } = await owner()
      await offersNothing(page)
      await page.goto("/probe/session")
      const elsewhere = `http://localhost:${scene.port + 1000}`
      const data = await approvedAt(elsewhere, { page, ...rest }, scene)
      await page.evaluate(send, { action: `${scene.basePath}/callback/passkey`, data })
      await page.waitForURL(/\/error\?error=WebAuthnVerificationError$/)
      expect(scene.output()).toContain(`origin \\"${elsewhere}\\"`)
      await seesNobody(page)
      await leave(rest)
    })

    if (application.framework !== "qwik") return
    // Only Qwik's packages are not bundled ahead then, while those that they need are.
    test("has its functions for pages while somebody works on it", async () => {
      await scene[Symbol.asyncDispose]()
      const port = await freePort(24_500 + index)
      await using development = await openScene(application, "named", port, "development")
      const { page, context } = await person(chromium, development.origin)
      await page.goto("/probe/passkeys")
      const answer = async () => {
        await page.getByRole("button", { name: "Add a passkey" }).click()
        return page.textContent("output")
      }
      // The server finds out what the page needs, and loads it again: until then, nobody listens.
      await expect.poll(answer, { interval: 200, timeout: 20_000 }).toContain("AccountNotLinked")
      await context.close()
    })
  })
}

type Passkey = Awaited<ReturnType<Device["passkeys"]>>[number]

interface Owner extends Person {
  readonly device: Device
}

/** Ann signs in otherwise, makes a passkey on a page of the application, and signs out. */
async function made(scene: Scene): Promise<Passkey> {
  const { page, ...rest } = await person(chromium, scene.origin)
  await page.goto(signInPath(scene, "/probe/passkeys"))
  await page.getByLabel("E-mail").fill(ann.email)
  await page.getByLabel("Password").fill(ann.password)
  await page.getByRole("button", { name: "Sign in with a password" }).click()
  await page.waitForURL("/probe/passkeys")
  const own = await device(page)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByText('"kind":"signed-in"').waitFor()
  const [passkey] = await own.passkeys()
  await page.goto(`${scene.basePath}/signout?callbackUrl=/probe/session`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL("/probe/session")
  await seesNobody(page)
  await leave(rest)
  if (!passkey) throw new Error("There is no passkey on the device.")
  return passkey
}

function signInPath({ basePath }: Scene, callbackUrl = "/probe/session"): string {
  return `${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
}

/** As in browsers that offer nothing at fields: Chromium's device would answer before anybody presses a button. */
async function offersNothing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}

/** The framework's own reader says that it is Ann, on the page to which she was led. */
async function seesAnn(page: Page): Promise<void> {
  await page.waitForURL("/probe/session")
  expect(JSON.parse((await page.textContent("body")) ?? "")).toMatchObject({
    session: { user: { email: ann.email } },
  })
}

async function seesNobody(page: Page): Promise<void> {
  await page.goto("/probe/session")
  expect(JSON.parse((await page.textContent("body")) ?? "")).toEqual({ session: null })
}

/** What a page on another port gets from the device: passkeys know hosts only, and write down the origin. */
async function approvedAt(elsewhere: string, owner: Owner, { basePath }: Scene): Promise<string> {
  const bait = await owner.context.newPage()
  const html = { contentType: "text/html", body: "<p>" }
  await bait.route(`${elsewhere}/`, (route) => route.fulfill(html))
  await bait.goto(elsewhere)
  const baited = await device(bait)
  for (const passkey of await owner.device.passkeys()) await baited.add(passkey)
  const path = `${basePath}/webauthn-options/passkey?action=authenticate`
  const asked = await owner.context.request.get(path)
  const answer = await bait.evaluate(approve, (await asked.json()).options)
  await bait.close()
  return JSON.stringify(answer)
}

/** What the script of that page does with options that it got hold of. */
async function approve(options: { challenge: string; rpId: string }): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return (credential as PublicKeyCredential).toJSON() // nothing else was asked for
}

/** Sends an answer with a form, as the sign-in page does. */
function send({ action, data }: { action: string; data: string }): void {
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

/** Closes the browser; nothing went wrong in it but what the server refused, which consoles repeat. */
async function leave({ context, problems }: Pick<Person, "context" | "problems">): Promise<void> {
  await context.close()
  expect(problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([])
}
