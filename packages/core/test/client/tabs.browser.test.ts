/** The client in Chromium: other tabs, no network, and pages that come back. */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  type ChromiumUser,
  launchChromium,
  openChromiumUser,
  recordSessionChanges,
  waitForScript,
  waitForSessionChange,
} from "../support/chromium.ts"
import { type ClientApp, createClientApp, signInWithoutRedirect } from "../support/client-app.ts"

let browser: Browser
let site: ClientApp
let user: ChromiumUser

beforeAll(async () => {
  browser = await launchChromium()
  site = await createClientApp()
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

beforeEach(async () => {
  site.app.intercept = undefined
  user = await openChromiumUser(browser, site.app)
})

afterEach(async () => {
  await user.context.close()
  expect(user.pageErrors).toEqual([])
})

describe("a second tab", () => {
  test("hears of a sign-in, an update and a sign-out", async () => {
    const [here, there] = [await user.openTab(), await user.openTab()]
    await recordSessionChanges(there)
    await waitForSessionChange(there, "signed-out")
    await signInWithoutRedirect(here)
    await waitForSessionChange(there, "signed-in Ada")
    await here.evaluate(() => latchkey.updateSession({ name: "Countess" }))
    await waitForSessionChange(there, "signed-in Countess")
    await here.evaluate(() => latchkey.signOut({ redirect: false }))
    await waitForSessionChange(there, "signed-out")
  })

  test("hears of a sign-in and a sign-out that leave the page", async () => {
    const [here, there] = [await user.openTab(), await user.openTab()]
    await recordSessionChanges(there)
    await here.evaluate(() => {
      void latchkey.signIn("credentials", { name: "Ada", word: "sesame", redirectTo: "/inbox" })
    })
    await waitForSessionChange(there, "signed-in Ada")
    await here.waitForURL("/inbox")
    await waitForScript(here)
    await here.evaluate(() => void latchkey.signOut({ redirectTo: "/bye" }))
    await waitForSessionChange(there, "signed-out")
  })

  test("hears of a sign-in at a provider when the first one is back and asks", async () => {
    const [here, there] = [await user.openTab(), await user.openTab()]
    await recordSessionChanges(there)
    await waitForSessionChange(there, "signed-out")
    site.provider.setUser({ sub: "ada", name: "Ada Lovelace" })
    await here.evaluate(() => void latchkey.signIn("scripted", { redirectTo: "/inbox" }))
    await here.waitForURL("/inbox")
    await waitForScript(here)
    expect(await there.evaluate(() => heard)).toEqual(["signed-out"])
    expect(await here.evaluate(() => latchkey.getSession())).toMatchObject({
      user: { name: "Ada Lovelace" },
    })
    await waitForSessionChange(there, "signed-in Ada Lovelace")
    await here.evaluate(() => latchkey.getSession())
    expect(await here.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test("of somebody else hears nothing", async () => {
    const bob = await openChromiumUser(browser, site.app)
    const [here, there] = [await user.openTab(), await bob.openTab()]
    await recordSessionChanges(there)
    await waitForSessionChange(there, "signed-out")
    await signInWithoutRedirect(here)
    await there.evaluate(() => latchkey.getSession())
    expect(await there.evaluate(() => heard)).toEqual(["signed-out"])
    await bob.context.close()
    expect(bob.pageErrors).toEqual([])
  })
})

describe("offline", () => {
  test("keeps the session, marked, and checks it as soon as there is a network", async () => {
    const tab = await user.openTab()
    await signInWithoutRedirect(tab)
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "signed-in Ada")
    await user.context.setOffline(true)
    expect(await tab.evaluate(() => latchkey.getSession())).toMatchObject({ user: { name: "Ada" } })
    await waitForSessionChange(tab, "signed-in Ada (stale)")
    await user.context.setOffline(false)
    await waitForSessionChange(tab, "signed-in Ada")
    user.pageErrors.length = 0 // the console tells of requests that fail
  })

  test("knows nothing when nothing was known, and asks as soon as there is a network", async () => {
    const tab = await user.openTab()
    await user.context.setOffline(true)
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "unavailable")
    await user.context.setOffline(false)
    await waitForSessionChange(tab, "signed-out")
    user.pageErrors.length = 0
  })

  test("an outage of the store is no sign-out", async () => {
    const tab = await user.openTab()
    await signInWithoutRedirect(tab)
    await recordSessionChanges(tab)
    site.app.intercept = ({ url }) =>
      url.endsWith("/session") ? Response.json({ message: "?" }, { status: 503 }) : undefined
    await tab.evaluate(() => latchkey.getSession())
    await waitForSessionChange(tab, "signed-in Ada (stale)")
    site.app.intercept = undefined
    await tab.evaluate(() => latchkey.getSession())
    await waitForSessionChange(tab, "signed-in Ada")
    user.pageErrors.length = 0
  })
})

describe("a page that comes back into sight", () => {
  test("asks again, but not when it has just asked", async () => {
    const tab = await user.openTab()
    let questions = 0
    site.app.intercept = ({ url }) => {
      if (url.endsWith("/session")) questions += 1
      return undefined
    }
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "signed-out")
    const look = async () => {
      await tab.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
      await tab.waitForTimeout(300)
      return questions
    }
    expect(await look()).toBe(1)
    await tab.evaluate(() => {
      const late = Date.now() + 6000
      Date.now = () => late
      Object.defineProperty(document, "hidden", { value: true, configurable: true })
    })
    expect(await look()).toBe(1) // out of sight
    await tab.evaluate(() => Reflect.deleteProperty(document, "hidden"))
    await look()
    await expect.poll(() => questions).toBe(2)
    expect(await look()).toBe(2)
  })

  test("from the past shows who is signed in now", async () => {
    const tab = await user.openTab("/first")
    await signInWithoutRedirect(tab)
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "signed-in Ada")
    await tab.goto("/second")
    await waitForScript(tab)
    await user.context.clearCookies({ name: "authjs.session-token" })
    await tab.goBack({ waitUntil: "commit" })
    await tab.waitForFunction(() => location.pathname === "/first")
    expect(await tab.evaluate(() => heard[0])).toBe("signed-in Ada") // it is the page from memory
    await waitForSessionChange(tab, "signed-out")
  })
})
