/** The client in Chromium: other tabs, no network, and pages that come back. */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { hears, launch, listen, type Person, person, ready } from "../support/chromium.ts"
import { type ClientSite, clientSite, signInHere } from "../support/client-site.ts"

let browser: Browser
let site: ClientSite
let ada: Person

beforeAll(async () => {
  browser = await launch()
  site = await clientSite()
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

beforeEach(async () => {
  site.app.between = undefined
  ada = await person(browser, site.app)
})

afterEach(async () => {
  await ada.context.close()
  expect(ada.problems).toEqual([])
})

describe("a second tab", () => {
  test("hears of a sign-in, an update and a sign-out", async () => {
    const [here, there] = [await ada.tab(), await ada.tab()]
    await listen(there)
    await hears(there, "signed-out")
    await signInHere(here)
    await hears(there, "signed-in Ada")
    await here.evaluate(() => latchkey.updateSession({ name: "Countess" }))
    await hears(there, "signed-in Countess")
    await here.evaluate(() => latchkey.signOut({ redirect: false }))
    await hears(there, "signed-out")
  })

  test("hears of a sign-in and a sign-out that leave the page", async () => {
    const [here, there] = [await ada.tab(), await ada.tab()]
    await listen(there)
    await here.evaluate(() => {
      void latchkey.signIn("credentials", { name: "Ada", word: "sesame", redirectTo: "/inbox" })
    })
    await hears(there, "signed-in Ada")
    await here.waitForURL("/inbox")
    await ready(here)
    await here.evaluate(() => void latchkey.signOut({ redirectTo: "/bye" }))
    await hears(there, "signed-out")
  })

  test("hears of a sign-in at a provider when the first one is back and asks", async () => {
    const [here, there] = [await ada.tab(), await ada.tab()]
    await listen(there)
    await hears(there, "signed-out")
    site.provider.user({ sub: "ada", name: "Ada Lovelace" })
    await here.evaluate(() => void latchkey.signIn("scripted", { redirectTo: "/inbox" }))
    await here.waitForURL("/inbox")
    await ready(here)
    expect(await there.evaluate(() => heard)).toEqual(["signed-out"])
    expect(await here.evaluate(() => latchkey.getSession())).toMatchObject({
      user: { name: "Ada Lovelace" },
    })
    await hears(there, "signed-in Ada Lovelace")
    await here.evaluate(() => latchkey.getSession())
    expect(await here.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test("of somebody else hears nothing", async () => {
    const bob = await person(browser, site.app)
    const [here, there] = [await ada.tab(), await bob.tab()]
    await listen(there)
    await hears(there, "signed-out")
    await signInHere(here)
    await there.evaluate(() => latchkey.getSession())
    expect(await there.evaluate(() => heard)).toEqual(["signed-out"])
    await bob.context.close()
    expect(bob.problems).toEqual([])
  })
})

describe("offline", () => {
  test("keeps the session, marked, and checks it as soon as there is a network", async () => {
    const tab = await ada.tab()
    await signInHere(tab)
    await listen(tab)
    await hears(tab, "signed-in Ada")
    await ada.context.setOffline(true)
    expect(await tab.evaluate(() => latchkey.getSession())).toMatchObject({ user: { name: "Ada" } })
    await hears(tab, "signed-in Ada (stale)")
    await ada.context.setOffline(false)
    await hears(tab, "signed-in Ada")
    ada.problems.length = 0 // the console tells of requests that fail
  })

  test("knows nothing when nothing was known, and asks as soon as there is a network", async () => {
    const tab = await ada.tab()
    await ada.context.setOffline(true)
    await listen(tab)
    await hears(tab, "unavailable")
    await ada.context.setOffline(false)
    await hears(tab, "signed-out")
    ada.problems.length = 0
  })

  test("an outage of the store is no sign-out", async () => {
    const tab = await ada.tab()
    await signInHere(tab)
    await listen(tab)
    site.app.between = ({ url }) =>
      url.endsWith("/session") ? Response.json({ message: "?" }, { status: 503 }) : undefined
    await tab.evaluate(() => latchkey.getSession())
    await hears(tab, "signed-in Ada (stale)")
    site.app.between = undefined
    await tab.evaluate(() => latchkey.getSession())
    await hears(tab, "signed-in Ada")
    ada.problems.length = 0
  })
})

describe("a page that comes back into sight", () => {
  test("asks again, but not when it has just asked", async () => {
    const tab = await ada.tab()
    let questions = 0
    site.app.between = ({ url }) => {
      if (url.endsWith("/session")) questions += 1
      return undefined
    }
    await listen(tab)
    await hears(tab, "signed-out")
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
    const tab = await ada.tab("/first")
    await signInHere(tab)
    await listen(tab)
    await hears(tab, "signed-in Ada")
    await tab.goto("/second")
    await ready(tab)
    await ada.context.clearCookies({ name: "authjs.session-token" })
    await tab.goBack({ waitUntil: "commit" })
    await tab.waitForFunction(() => location.pathname === "/first")
    expect(await tab.evaluate(() => heard[0])).toBe("signed-in Ada") // it is the page from memory
    await hears(tab, "signed-out")
  })
})
