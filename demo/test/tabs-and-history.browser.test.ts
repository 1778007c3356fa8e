import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openSignIn, signInWithTenant, tabTo } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"

const suite = useDemo(true)
const { openBrowser } = suite

/** Goes back. A page from the back/forward cache does not fire `load`. */
const goBack = (page: Page) => page.goBack({ waitUntil: "commit" })

describe("tabs", () => {
  test("two simultaneous sign-ins both succeed", async () => {
    const ada = await openBrowser()
    const first = ada.page
    const second = await ada.context.newPage()
    for (const tab of [first, second]) {
      await openSignIn(tab)
      await tab.getByRole("button", { name: "Sign in with Alder ID" }).click()
      await tab.getByRole("heading", { name: "Sign in to Loam" }).waitFor()
    }
    for (const tab of [first, second]) {
      await tab.getByRole("button", { name: "Ada Lindqvist" }).click()
      await tab.waitForURL("/journal")
    }
    await first.reload()
    expect(first.url()).toBe(`${suite.demo.origin}/journal`)
    await ada.closeAndVerify()
  })

  test("a sign-in in another tab switches the user, and merges no users", async () => {
    const shared = await openBrowser()
    const second = await shared.context.newPage()
    await openSignIn(second)
    await signInWithTenant(shared.page, "Mei Tanaka")
    await second.getByRole("button", { name: "Sign in with Plaza" }).click()
    await second.getByRole("button", { name: "Allow as Jonah Reyes" }).click()
    await second.waitForURL("/journal")

    await shared.page.goto("/account")
    expect(await shared.page.locator("main h2").first().textContent()).toBe("Jonah Reyes")
    await shared.page.goto("/account/connected-accounts")
    expect(await shared.page.getByText("Not connected").count()).toBe(1)
    await shared.closeAndVerify()
  })

  test("the sign-out button of a page from before another user signed in does nothing", async () => {
    const shared = await openBrowser()
    await signInWithTenant(shared.page, "Mei Tanaka")
    await shared.page.goto("/account")
    const second = await shared.context.newPage()
    await second.goto("/auth/signin?callbackUrl=/journal")
    await second.getByRole("link", { name: "Use another account" }).click()
    await second.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await second.getByRole("button", { name: "Ada Lindqvist" }).click()
    await second.waitForURL("/journal")

    await shared.page.getByRole("button", { name: "Sign out" }).click()
    await shared.page.waitForURL(/error=MissingCSRF/)
    expect(await shared.session()).toMatchObject({ user: { name: "Ada Lindqvist" } })
    await shared.closeAndVerify()
  })
})

describe("the back button", () => {
  test("after signing in, leads to pages that explain how to continue", async () => {
    const ada = await openBrowser()
    const { page } = ada
    await signInWithTenant(page)

    await goBack(page)
    await page.getByRole("heading", { name: "This page is out of date" }).waitFor()
    await page.getByRole("link", { name: "Go to Loam" }).click()
    await page.waitForURL("/")
    await page.getByRole("heading", { name: "Welcome back, Ada Lindqvist." }).waitFor()
    expect(await ada.session()).toMatchObject({ user: { name: "Ada Lindqvist" } })
    await ada.context.close() // the 400 of the page that is out of date is in its console
  })

  test("after signing in, leads to a sign-in page that still works for another user", async () => {
    const ada = await openBrowser()
    const { page } = ada
    await openSignIn(page)
    const signInPage = page.url()
    await page.getByRole("button", { name: "Sign in with Plaza" }).click()
    await page.getByRole("button", { name: "Allow as Priya Nair" }).click()
    await page.waitForURL("/journal")

    await goBack(page)
    await goBack(page)
    expect(page.url()).toBe(signInPage)
    await page.getByRole("link", { name: "Use another account" }).click()
    await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await page.getByRole("button", { name: "Tomás Okafor" }).click()
    await page.waitForURL("/journal")
    expect(await ada.session()).toMatchObject({ user: { name: "Tomás Okafor" } })
    await ada.closeAndVerify()
  })

  test("after signing out, shows no data of the previous user", async () => {
    const ada = await openBrowser()
    const { page } = ada
    await signInWithTenant(page)
    await page.getByLabel("What did you see today?").fill("A secret hedgehog.")
    await page.getByRole("button", { name: "Write it down" }).click()
    await page.getByText("A secret hedgehog.").waitFor()
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL("/")

    await goBack(page)
    await page.waitForURL(/\/auth\/signin/)
    expect(await page.content()).not.toContain("Lindqvist")
    await goBack(page)
    await page.waitForURL(/\/auth\/signin/)
    expect(await page.content()).not.toContain("hedgehog")
    await ada.closeAndVerify()
  })
})

describe("the keyboard alone", () => {
  test("signs in, writes, and signs out", async () => {
    const ada = await openBrowser()
    const { page } = ada
    await page.goto("/")
    await page.keyboard.press("Tab")
    expect(await page.locator(":focus").textContent()).toBe("Skip to the content")
    await tabTo(page, "Sign in")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/auth\/signin/)
    await tabTo(page, "Sign in with Alder ID")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Sign in to Loam" }).waitFor()
    await tabTo(page, "Ada Lindqvist")
    await page.keyboard.press("Space")
    await page.waitForURL("/journal")
    await tabTo(page, "What did you see today?")
    await page.keyboard.type("Six goldfinches.")
    await tabTo(page, "Write it down")
    await page.keyboard.press("Enter")
    await page.getByText("Six goldfinches.").waitFor()
    await tabTo(page, "Account")
    await page.keyboard.press("Enter")
    await page.waitForURL("/account")
    await tabTo(page, "Sign out")
    await page.keyboard.press("Enter")
    await page.waitForURL("/")
    expect(await ada.session()).toBeNull()
    await ada.closeAndVerify()
  })

  test("fills in every form of the sign-in page", async () => {
    const nils = await openBrowser()
    const { page } = nils
    await page.goto("/join")
    await tabTo(page, "Your name")
    await page.keyboard.type("Nils")
    await page.keyboard.press("Tab")
    await page.keyboard.type("nils")
    await page.keyboard.press("Tab")
    await page.keyboard.type("wild geese fly")
    await page.keyboard.press("Enter")
    await page.waitForURL("/journal")
    await nils.context.clearCookies()

    await openSignIn(page)
    await tabTo(page, "Sign in with a password")
    await page.keyboard.press("Enter")
    await tabTo(page, "User name")
    await page.keyboard.type("nils")
    await page.keyboard.press("Tab")
    await page.keyboard.type("wild geese fly")
    await page.keyboard.press("Enter")
    await page.waitForURL("/journal")
    await nils.context.clearCookies()

    await openSignIn(page)
    await tabTo(page, "Sign in with an email link")
    await page.keyboard.press("Enter")
    await tabTo(page, "Email")
    await page.keyboard.type("nils@example.com")
    await page.keyboard.press("Enter")
    await page.waitForURL(/verify-request/)
    await nils.closeAndVerify()
  })
})
