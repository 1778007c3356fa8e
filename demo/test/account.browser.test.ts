import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import {
  openForm,
  openSignIn,
  retrying,
  signInWithTenant,
  type TestBrowser,
} from "./support/browser.ts"
import { startDemo, temporaryFolder } from "./support/demo.ts"
import { useDemo } from "./support/demo-suite.ts"

const suite = useDemo()
const { openBrowser } = suite

describe.each([true, false])("linking (JavaScript: %s)", (javaScript) => {
  test("a provider that was linked on the page of connected accounts signs in the same user", async () => {
    const name = `Linker ${javaScript}`
    const ada = await openBrowser(javaScript)
    const { page } = ada
    await signInAs(page, "Alder ID", name)
    const before = await getUserId(ada)

    await page.goto("/account/connected-accounts")
    await page.getByRole("button", { name: "Connect Plaza", exact: true }).click()
    await signInAtPlaza(page, name)
    await page.waitForURL(/\/account\/connected-accounts\?linked=socialidp/)
    await page.getByRole("status").getByText("Plaza is connected").waitFor()
    expect(await page.getByRole("button", { name: /^Connect/ }).count()).toBe(0)
    expect(await getUserId(ada)).toBe(before)
    await suite.demo.waitForOutput(`${name} connected Plaza`)

    await ada.context.clearCookies()
    await signInAs(page, "Plaza", name)
    expect(await getUserId(ada)).toBe(before)
    await ada.closeAndVerify()
  })

  test("an account of another user cannot be linked", async () => {
    const owner = await openBrowser(javaScript)
    await signInAs(owner.page, "Plaza", `Owner ${javaScript}`)
    const id = await getUserId(owner)

    const other = await openBrowser(javaScript)
    await signInAs(other.page, "Alder ID", `Other ${javaScript}`)
    await other.page.goto("/account/connected-accounts")
    await other.page.getByRole("button", { name: "Connect Plaza", exact: true }).click()
    await signInAtPlaza(other.page, `Owner ${javaScript}`)
    await other.page.waitForURL(/error=OAuthAccountNotLinked/)
    expect(await getUserId(other)).not.toBe(id)
    await other.page.goto("/account/connected-accounts")
    expect(await other.page.getByText("Not connected").count()).toBe(1)
    await other.closeAndVerify()
    await owner.closeAndVerify()
  })
})

test("the account page shows the user and the end of the session, and leads to the ways to sign in", async () => {
  const ada = await openBrowser()
  const { page } = ada
  await signInWithTenant(page)
  await page.goto("/account")

  const text = await page.locator("main").innerText()
  expect(text).toContain("Ada Lindqvist")
  expect(text).toContain("ada@riverside.example")
  const time = await page.locator("time").getAttribute("datetime")
  const days = (Date.parse(time ?? "") - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(30)
  await page.getByRole("link", { name: "Connected accounts" }).click()
  await page.getByText("Connected", { exact: true }).waitFor()
  await ada.closeAndVerify()
})

test("an email link signs in the user with that address, and verifies it", async () => {
  const tomas = await openBrowser()
  const { page } = tomas
  await signInWithTenant(page, "Tomás Okafor")
  const before = await getUserId(tomas)
  await page.goto("/account/connected-accounts")
  await page.getByText("tomas@riverside.example, not verified").waitFor()
  await tomas.context.clearCookies()

  await openSignIn(page)
  await openForm(page, "Sign in with an email link")
  await page.getByLabel("Email").fill("tomas@riverside.example")
  await page.getByRole("button", { name: "Email me a sign-in link" }).click()
  await page.waitForURL(/verify-request/)
  await page.goto("/inbox")
  await page.getByRole("article").first().getByRole("link").first().click()
  await page.waitForURL("/journal")
  expect(await getUserId(tomas)).toBe(before)
  await page.goto("/account/connected-accounts")
  await page.getByText("tomas@riverside.example, verified").waitFor()
  await tomas.closeAndVerify()
})

test("users see only their own notes", async () => {
  const ada = await openBrowser()
  await signInWithTenant(ada.page)
  await ada.page.getByLabel("What did you see today?").fill("<b>Frost</b>\nand a wren")
  await ada.page.getByRole("button", { name: "Write it down" }).click()
  await ada.page.getByText("<b>Frost</b>").waitFor()

  const mei = await openBrowser()
  await signInWithTenant(mei.page, "Mei Tanaka")
  expect(await mei.page.content()).not.toContain("wren")
  const remove = await ada.page.locator("form[action$='/remove']").first().getAttribute("action")
  const headers = { origin: suite.demo.origin }
  await mei.context.request.post(remove ?? "", { headers, form: {}, ...retrying })
  await ada.page.reload()
  await ada.page.getByText("<b>Frost</b>").waitFor()

  await ada.page.getByRole("button", { name: /^Remove/ }).click()
  await ada.page.getByText("The first page is still blank").waitFor()
  await mei.closeAndVerify()
  await ada.closeAndVerify()
})

test("a restart keeps users, sessions and notes", { timeout: 120_000 }, async () => {
  using own = temporaryFolder()
  const first = await startDemo(own.path)
  const ada = await openBrowser(true, first.origin)
  const { page } = ada
  await signInWithTenant(page)
  await page.getByLabel("What did you see today?").fill("Written before the restart.")
  await page.getByRole("button", { name: "Write it down" }).click()
  await page.getByText("Written before the restart.").waitFor()
  const before = await getUserId(ada)
  expect((await first.stop()).code).toBe(0)

  const second = await startDemo(own.path, first.port)
  await page.reload()
  await page.getByText("Written before the restart.").waitFor()
  await ada.context.clearCookies()
  await signInWithTenant(page)
  expect(await getUserId(ada)).toBe(before)
  await page.getByText("Written before the restart.").waitFor()
  await ada.closeAndVerify()
  await second.stop()
})

async function getUserId(testBrowser: TestBrowser): Promise<unknown> {
  const session = await testBrowser.session()
  expect(session).toMatchObject({ user: { id: expect.any(String) } })
  return (session as { user: { id: string } }).user.id
}

async function signInAs(page: Page, provider: "Alder ID" | "Plaza", name: string): Promise<void> {
  await openSignIn(page)
  await page.getByRole("button", { name: `Sign in with ${provider}` }).click()
  if (provider === "Plaza") await signInAtPlaza(page, name)
  else {
    await page.getByLabel("Use another name").fill(name)
    await page.getByRole("button", { name: "Continue" }).click()
  }
  await page.waitForURL("/journal")
}

async function signInAtPlaza(page: Page, name: string): Promise<void> {
  await page.getByLabel("Use another name").fill(name)
  await page.getByRole("button", { name: "Allow", exact: true }).click()
}
