/** The page "Connected accounts": removing ways to sign in. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openSignIn, retrying } from "./support/browser.ts"
import { startDemo, temporaryFolder } from "./support/demo.ts"
import { useDemo } from "./support/demo-suite.ts"

const suite = useDemo()
const { openBrowser } = suite
const path = "/account/connected-accounts"

/** Signs in at Alder ID, and links Plaza. */
async function signInAndLink(page: Page, name: string): Promise<void> {
  await openSignIn(page)
  await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
  await signInAtAlder(page, name)
  await page.waitForURL("/journal")
  await page.goto(path)
  await page.getByRole("button", { name: "Connect Plaza", exact: true }).click()
  await page.getByLabel("Use another name").fill(name)
  await page.getByRole("button", { name: "Allow", exact: true }).click()
  await page.waitForURL(`${path}?linked=socialidp`)
}

async function signInAtAlder(page: Page, name: string): Promise<void> {
  await page.getByLabel("Use another name").fill(name)
  await page.getByRole("button", { name: "Continue" }).click()
}

describe.each([true, false])("a connected account (JavaScript: %s)", (javaScript) => {
  test("is disconnected, and the last one stays", async () => {
    const name = `Sofia ${javaScript}`
    const sofia = await openBrowser(javaScript)
    const { page } = sofia
    await signInAndLink(page, name)
    await page.getByRole("button", { name: "Disconnect Plaza" }).click()
    await page.getByRole("button", { name: "Connect Plaza", exact: true }).waitFor()
    await suite.demo.waitForOutput(`${name} disconnected Plaza`)

    await page.getByRole("button", { name: "Disconnect Alder ID" }).click()
    await page.getByRole("alert").getByText("This is your only way to sign in.").waitFor()
    await page.getByText("Connected", { exact: true }).first().waitFor()
    await sofia.closeAndVerify()
  })

  test("of a session that began long ago is disconnected after another sign-in", async () => {
    using folder = temporaryFolder()
    const name = `Milo ${javaScript}`
    const first = await startDemo(folder.path)
    const milo = await openBrowser(javaScript, first.origin)
    const { page } = milo
    await signInAndLink(page, name)
    await page.goto("about:blank")
    await first.stop()

    const second = await startDemo(folder.path, first.port, 11)
    await page.goto(path)
    await page.getByRole("button", { name: "Disconnect Plaza" }).click()
    await page.waitForURL(/\/auth\/signin\?/)
    await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await signInAtAlder(page, name)
    await page.waitForURL((url) => url.pathname === path)
    await page.getByRole("status").getByText("You can remove a way to sign in now.").waitFor()
    await page.getByRole("button", { name: "Disconnect Plaza" }).click()
    await page.getByRole("button", { name: "Connect Plaza", exact: true }).waitFor()
    await milo.closeAndVerify()
    await second.stop()
  })
})

test("an account of another user cannot be disconnected", async () => {
  const owner = await openBrowser()
  await signInAndLink(owner.page, "Owner")
  const form = owner.page.locator(`form:has(button:text("Disconnect"))`).first()
  const fields = await form.evaluate((element: HTMLFormElement) =>
    Object.fromEntries([...new FormData(element)].map(([key, value]) => [key, String(value)])),
  )
  const other = await openBrowser()
  await signInAndLink(other.page, "Other")
  const headers = { origin: suite.demo.origin }
  await other.context.request.post(`${path}/unlink`, { headers, form: fields, ...retrying })
  await owner.page.goto(path)
  expect(await owner.page.getByRole("button", { name: /^Disconnect/ }).count()).toBe(2)
  await other.closeAndVerify()
  await owner.closeAndVerify()
})
