import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  launchChromium,
  openTestBrowser,
  signInWithTenant,
  type TestBrowser,
} from "./support/browser.ts"
import { type RunningDemo, startDemo, temporaryFolder } from "./support/demo.ts"

const folder = temporaryFolder()
let demo: RunningDemo
let browser: Browser

beforeAll(async () => {
  demo = await startDemo(folder.path)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await demo.stop()
  folder[Symbol.dispose]()
})

const openBrowser = (): Promise<TestBrowser> => openTestBrowser(browser, demo.origin)

/** A page that comes back into sight a while later. */
const refocusTab = (tab: TestBrowser["page"]) =>
  tab.evaluate(() => {
    const late = Date.now() + 10_000
    Date.now = () => late
    document.dispatchEvent(new Event("visibilitychange"))
  })

describe("a page that is open while something happens in another tab", () => {
  test("hides what it shows when its person signs out, and leads back in", async () => {
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

  test("keeps what was being written, and shows it when the same person is back", async () => {
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

  test("shows nothing of one person to the next one", async () => {
    const shared = await openBrowser()
    await signInWithTenant(shared.page, "Mei Tanaka")
    const second = await shared.context.newPage()
    await second.goto("/auth/signin?callbackUrl=/journal")
    await second.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await second.getByRole("button", { name: "Ada Lindqvist" }).click()
    await second.waitForURL("/journal")

    const { page } = shared
    await refocusTab(page)
    await page.getByText("You are Ada Lindqvist now.").waitFor()
    expect(await page.getByText("Mei Tanaka’s journal").isVisible()).toBe(false)
    await page.getByRole("link", { name: "Show it to me" }).click()
    await page.getByRole("heading", { name: "Ada Lindqvist’s journal" }).waitFor()
    await shared.closeAndVerify()
  })

  test("says that somebody is signed in now", async () => {
    const ada = await openBrowser()
    const second = await ada.context.newPage()
    await second.goto("/")
    await signInWithTenant(ada.page)
    await refocusTab(second)
    await second.getByText("You are signed in now.").waitFor()
    expect(await second.getByRole("heading", { name: /line a day/ }).isVisible()).toBe(true)
    await second.getByRole("link", { name: "Show it to me" }).click()
    await second.getByRole("heading", { name: "Welcome back, Ada Lindqvist." }).waitFor()
    await ada.closeAndVerify()
  })

  test("signs nobody out while there is no network, and says so", async () => {
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

test("without scripts, signing out works all the same", async () => {
  const ada = await openTestBrowser(browser, demo.origin, false)
  await signInWithTenant(ada.page)
  await ada.page.goto("/account")
  await ada.page.getByRole("button", { name: "Sign out" }).click()
  await ada.page.waitForURL("/")
  expect(await ada.session()).toBeNull()
  await ada.closeAndVerify()
})
