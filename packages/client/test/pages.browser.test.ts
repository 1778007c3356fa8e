/** The client in Chromium: signing in and out, on a page with a strict policy. */
import { describe, expect, test } from "vitest"
import { signInWithoutRedirect } from "./support/client-app.ts"
import { openClientSuite } from "./support/client-suite.ts"
import { waitForScript } from "./support/client-tabs.ts"

const suite = openClientSuite()

describe("without navigation", () => {
  test("signs in, updates and ends the session", async () => {
    const tab = await suite.user.openTab("/inbox?page=2")
    expect(await tab.evaluate(() => latchkey.getSession())).toBeNull()
    expect(await signInWithoutRedirect(tab)).toMatchObject({
      kind: "signed-in",
      url: `${suite.site.app.origin}/inbox?page=2`,
      session: { user: { name: "Ada" } },
    })
    expect(await tab.evaluate(() => latchkey.updateSession({ name: "Countess" }))).toMatchObject({
      user: { name: "Countess" },
    })
    expect(await tab.evaluate(() => latchkey.getCsrfToken())).toMatch(/^[0-9a-f]{64}$/)
    expect(Object.keys(await tab.evaluate(() => latchkey.getProviders()))).toEqual([
      "scripted",
      "credentials",
    ])
    expect(await tab.evaluate(() => latchkey.signOut({ redirect: false }))).toMatchObject({
      kind: "signed-out",
    })
    expect(await tab.evaluate(() => latchkey.getSession())).toBeNull()
    expect(tab.url()).toBe(`${suite.site.app.origin}/inbox?page=2`)
  })

  test("returns the code of refused credentials", async () => {
    const tab = await suite.user.openTab()
    const result = await tab.evaluate(() =>
      latchkey.signIn("credentials", { redirect: false, name: "Ada", word: "password" }),
    )
    expect(result).toMatchObject({ kind: "credentials", code: "wrong-word" })
  })

  test("requests a new token if its cookie is missing", async () => {
    const tab = await suite.user.openTab()
    await tab.evaluate(() => latchkey.getCsrfToken())
    await suite.user.context.clearCookies()
    expect(await signInWithoutRedirect(tab)).toMatchObject({ kind: "signed-in" })
  })
})

describe("with navigation", () => {
  test("opens the target of the sign-in, and never resolves", async () => {
    const tab = await suite.user.openTab()
    await tab.evaluate(() => {
      const options = { name: "Ada", word: "sesame", redirectTo: "/inbox" }
      latchkey.signIn("credentials", options).finally(() => console.error("it came back"))
    })
    await tab.waitForURL("/inbox")
  })

  test("reloads the page if only the fragment differs", async () => {
    const tab = await suite.user.openTab("/notes#first")
    await tab.evaluate(() => {
      document.title = "before"
      const redirectTo = "/notes#second"
      void latchkey.signIn("credentials", { name: "Ada", word: "sesame", redirectTo })
    })
    await tab.waitForURL("/notes#second")
    await tab.waitForFunction(() => document.title === "A page")
    await waitForScript(tab)
    expect(await tab.evaluate(() => latchkey.getSession())).toMatchObject({ user: { name: "Ada" } })
  })

  test("returns to the original page, reloaded", async () => {
    for (const path of ["/notes?page=2", "/notes#second"]) {
      const tab = await suite.user.openTab(path)
      await tab.evaluate(() => {
        document.title = "before"
        void latchkey.signIn("credentials", { name: "Ada", word: "sesame" })
      })
      await tab.waitForFunction(() => document.title === "A page")
      expect(tab.url()).toBe(suite.site.app.origin + path)
    }
  })

  test("opens the error page for refused credentials", async () => {
    const tab = await suite.user.openTab()
    await tab.evaluate(() => void latchkey.signIn("credentials", { word: "wrong" }))
    await tab.waitForURL(/\/auth\/signin\?error=CredentialsSignin&code=wrong-word$/)
  })

  test.each([undefined, "nobody"])("opens the sign-in page for the provider %s", async (id) => {
    const tab = await suite.user.openTab("/inbox")
    await tab.evaluate((id) => void latchkey.signIn(id), id)
    const query = new URLSearchParams({ callbackUrl: `${suite.site.app.origin}/inbox` })
    await tab.waitForURL(`/auth/signin?${query}`)
  })

  test("signs out, and opens the given URL", async () => {
    const tab = await suite.user.openTab()
    await signInWithoutRedirect(tab)
    await tab.evaluate(() => void latchkey.signOut({ redirectTo: "/bye" }))
    await tab.waitForURL("/bye")
    await waitForScript(tab)
    expect(await tab.evaluate(() => latchkey.getSession())).toBeNull()
  })

  test("stays on the page and reports a missing network", async () => {
    const tab = await suite.user.openTab()
    await suite.user.context.setOffline(true)
    const failure = await tab.evaluate(() =>
      latchkey
        .signIn("credentials", { word: "sesame" })
        .catch((error: unknown) =>
          error instanceof latchkey.ClientError ? error.failure.kind : String(error),
        ),
    )
    expect(failure).toBe("offline")
    expect(tab.url()).toBe(`${suite.site.app.origin}/`)
    suite.user.pageErrors.length = 0 // the console tells of requests that fail
  })
})
