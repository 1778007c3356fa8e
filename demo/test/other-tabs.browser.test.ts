import { describe, expect, test } from "vitest"
import { signInWithTenant, type TestBrowser } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"

const { openBrowser } = useDemo()

/** Simulates a page that becomes visible again after a while. */
const refocusTab = (tab: TestBrowser["page"]) =>
  tab.evaluate(() => {
    const late = Date.now() + 10_000
    Date.now = () => late
    document.dispatchEvent(new Event("visibilitychange"))
  })

describe("an open page", () => {
  test("is hidden when the user signs out in another tab, and offers to sign in again", async () => {
    const ada = await openBrowser()
    await signInWithTenant(ada.page)
    const second = await ada.context.newPage()
    await second.goto("/account")

    await second.getByRole("button", { name: "Sign out" }).click()
    await second.waitForURL("/")
    const { page } = ada
    await page.getByText("You are signed out.").waitFor()
    expect(await page.getByRole("heading", { name: /journal/ }).count()).toBe(0)
    expect(await page.getByLabel("What did you see today?").isVisible()).toBe(false)

    await page.getByRole("link", { name: "Sign in again" }).click()
    await page.waitForURL(`/auth/signin?callbackUrl=%2Fjournal`)
    await ada.closeAndVerify()
  })

  test("keeps unsaved input, and shows it when the same user signs in again", async () => {
    const ada = await openBrowser()
    await signInWithTenant(ada.page)
    const { page } = ada
    await page.getByLabel("What did you see today?").fill("Half a sentence")
    const second = await ada.context.newPage()
    await second.goto("/account")
    await second.getByRole("button", { name: "Sign out" }).click()
    await second.waitForURL("/")
    await page.getByText("You are signed out.").waitFor()

    await signInWithTenant(second)
    await refocusTab(page)
    await page.getByText("You are signed out.").waitFor({ state: "detached" })
    const field = page.getByLabel("What did you see today?")
    expect([await field.isVisible(), await field.inputValue()]).toEqual([true, "Half a sentence"])
    await ada.closeAndVerify()
  })

  test("hides the data of one user from the next", async () => {
    const shared = await openBrowser()
    await signInWithTenant(shared.page, "Mei Tanaka")
    const second = await shared.context.newPage()
    await second.goto("/auth/signin?callbackUrl=/journal")
    await second.getByRole("link", { name: "Use another account" }).click()
    await second.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await second.getByRole("button", { name: "Ada Lindqvist" }).click()
    await second.waitForURL("/journal")

    const { page } = shared
    await refocusTab(page)
    await page.getByText("You are now signed in as Ada Lindqvist.").waitFor()
    expect(await page.getByText("Mei Tanaka’s journal").isVisible()).toBe(false)
    await page.getByRole("link", { name: "Reload this page" }).click()
    await page.getByRole("heading", { name: "Ada Lindqvist’s journal" }).waitFor()
    await shared.closeAndVerify()
  })

  test("shows a notice when a user signs in in another tab", async () => {
    const ada = await openBrowser()
    const second = await ada.context.newPage()
    await second.goto("/")
    await signInWithTenant(ada.page)
    await refocusTab(second)
    await second.getByText("You are signed in now.").waitFor()
    expect(await second.getByRole("heading", { name: /line a day/ }).isVisible()).toBe(true)
    await second.getByRole("link", { name: "Reload this page" }).click()
    await second.getByRole("heading", { name: "Welcome back, Ada Lindqvist." }).waitFor()
    await ada.closeAndVerify()
  })

  test("shows a notice without a network, and keeps the user signed in", async () => {
    const ada = await openBrowser()
    await signInWithTenant(ada.page)
    const { page, context } = ada
    await page.waitForFunction(() => performance.getEntriesByName(`${origin}/auth/session`).length)
    await context.setOffline(true)
    await refocusTab(page)
    await page.getByText("You are offline.").waitFor()
    expect(await page.getByLabel("What did you see today?").isVisible()).toBe(true)
    await context.setOffline(false)
    await page.getByText("You are offline.").waitFor({ state: "detached" })
    await context.close() // the console tells of the request that failed
  })
})

test("signing out works without scripts", async () => {
  const ada = await openBrowser(false)
  await signInWithTenant(ada.page)
  await ada.page.goto("/account")
  await ada.page.getByRole("button", { name: "Sign out" }).click()
  await ada.page.waitForURL("/")
  expect(await ada.session()).toBeNull()
  await ada.closeAndVerify()
})
