/** The client in Chromium: other tabs, no network, and pages that become visible again. */
import { describe, expect, test } from "vitest"
import { signInWithoutRedirect } from "./support/client-app.ts"
import { openClientSuite } from "./support/client-suite.ts"
import {
  openChromiumUser,
  recordSessionChanges,
  waitForScript,
  waitForSessionChange,
} from "./support/client-tabs.ts"

const suite = openClientSuite(true)

describe("a second tab", () => {
  test("is notified of a sign-in, an update and a sign-out", async () => {
    const [here, there] = [await suite.user.openTab(), await suite.user.openTab()]
    await recordSessionChanges(there)
    await waitForSessionChange(there, "signed-out")
    await signInWithoutRedirect(here)
    await waitForSessionChange(there, "signed-in Ada")
    await here.evaluate(() => latchkey.updateSession({ name: "Countess" }))
    await waitForSessionChange(there, "signed-in Countess")
    await here.evaluate(() => latchkey.signOut({ redirect: false }))
    await waitForSessionChange(there, "signed-out")
  })

  test("is notified of a sign-in and a sign-out with navigation", async () => {
    const [here, there] = [await suite.user.openTab(), await suite.user.openTab()]
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

  test("is notified of a sign-in at a provider when the first tab is back and fetches the session", async () => {
    const [here, there] = [await suite.user.openTab(), await suite.user.openTab()]
    await recordSessionChanges(there)
    await waitForSessionChange(there, "signed-out")
    suite.site.provider.setUser({ sub: "ada", name: "Ada Lovelace" })
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

  test("of another user is not notified", async () => {
    const bob = await openChromiumUser(suite.browser, suite.site.app)
    const [here, there] = [await suite.user.openTab(), await bob.openTab()]
    await recordSessionChanges(there)
    await waitForSessionChange(there, "signed-out")
    await signInWithoutRedirect(here)
    await there.evaluate(() => latchkey.getSession())
    expect(await there.evaluate(() => heard)).toEqual(["signed-out"])
    await bob.context.close()
    expect(bob.pageErrors).toEqual([])
  })
})

describe("without a network", () => {
  test("the session is kept as stale, and checked as soon as the network is back", async () => {
    const tab = await suite.user.openTab()
    await signInWithoutRedirect(tab)
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "signed-in Ada")
    await suite.user.context.setOffline(true)
    expect(await tab.evaluate(() => latchkey.getSession())).toMatchObject({ user: { name: "Ada" } })
    await waitForSessionChange(tab, "signed-in Ada (stale)")
    await suite.user.context.setOffline(false)
    await waitForSessionChange(tab, "signed-in Ada")
    suite.user.pageErrors.length = 0 // the console tells of requests that fail
  })

  test("an unknown state stays unknown, and is fetched as soon as the network is back", async () => {
    const tab = await suite.user.openTab()
    await suite.user.context.setOffline(true)
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "unavailable")
    await suite.user.context.setOffline(false)
    await waitForSessionChange(tab, "signed-out")
    suite.user.pageErrors.length = 0
  })

  test("an outage of the database is not a sign-out", async () => {
    const tab = await suite.user.openTab()
    await signInWithoutRedirect(tab)
    await recordSessionChanges(tab)
    suite.site.app.intercept = ({ url }) =>
      url.endsWith("/session") ? Response.json({ message: "?" }, { status: 503 }) : undefined
    await tab.evaluate(() => latchkey.getSession())
    await waitForSessionChange(tab, "signed-in Ada (stale)")
    suite.site.app.intercept = undefined
    await tab.evaluate(() => latchkey.getSession())
    await waitForSessionChange(tab, "signed-in Ada")
    suite.user.pageErrors.length = 0
  })
})

describe("a page that becomes visible", () => {
  test("refetches the session unless it is fresh", async () => {
    const tab = await suite.user.openTab()
    let questions = 0
    suite.site.app.intercept = ({ url }) => {
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

  test("after a restore from the cache shows who is signed in now", async () => {
    const tab = await suite.user.openTab("/first")
    await signInWithoutRedirect(tab)
    await recordSessionChanges(tab)
    await waitForSessionChange(tab, "signed-in Ada")
    await tab.goto("/second")
    await waitForScript(tab)
    await suite.user.context.clearCookies({ name: "authjs.session-token" })
    await tab.goBack({ waitUntil: "commit" })
    await tab.waitForFunction(() => location.pathname === "/first")
    expect(await tab.evaluate(() => heard[0])).toBe("signed-in Ada") // it is the page from memory
    await waitForSessionChange(tab, "signed-out")
  })
})
