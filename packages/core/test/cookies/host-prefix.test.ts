/** The `__Host-` prefix of the session cookie, and changing to it without signing anybody out. */
import { createAuth } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp, type PasswordAppConfig, secret } from "../support/password-app.ts"
import { createTestSite, type TestSiteConfig } from "../support/test-site.ts"

const oldName = "__Secure-authjs.session-token"
const newName = "__Host-authjs.session-token"

const listSessionCookies = ({ cookies }: TestBrowser) =>
  cookies.names.filter((name) => name.includes("session-token"))

describe("with `useHostPrefix`", () => {
  test("the session cookie has the prefix, and a cookie of a sub-domain is not read", async () => {
    const app = createPasswordApp({ useHostPrefix: true })
    const browser = await app.openSignedInBrowser()
    expect(listSessionCookies(browser)).toEqual([newName])
    expect(browser.cookies.rejected).toEqual([])
    const mallory = await createPasswordApp().openSignedInBrowser("mallory")
    const value = mallory.cookies.get(oldName)?.value
    for (const name of [oldName, newName]) {
      const line = `${name}=${value}; Domain=app.example; Path=/auth; Secure`
      const url = new URL("https://evil.app.example")
      const context = { url, isCrossSite: false, isSafeNavigation: true, isNavigation: true }
      browser.cookies.setCookies([line], context)
    }
    expect(listSessionCookies(browser)).toEqual([oldName, newName])
    expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    expect((await browser.updateSession({})).status).toBe(200)
    browser.cookies.delete(newName)
    expect(await browser.getSession()).toBeNull()
  })

  test("`getToken` reads it by its name", async () => {
    const browser = await createPasswordApp({ useHostPrefix: true }).openSignedInBrowser()
    const cookie = `${newName}=${browser.cookies.get(newName)?.value}`
    const token = await getToken({ req: { headers: { cookie } }, secret, cookieName: newName })
    expect(token).toMatchObject({ name: "ada" })
  })

  test.each<[string, Partial<PasswordAppConfig>, string]>([
    [
      "a cookie with a domain",
      { cookies: { sessionToken: { options: { domain: "a.example" } } } },
      "cookies.sessionToken",
    ],
    [
      "a cookie with another path",
      { cookies: { sessionToken: { options: { path: "/app" } } } },
      "cookies.sessionToken",
    ],
    ["cookies that are not secure", { useSecureCookies: false }, "useHostPrefix"],
    ["another value", { useHostPrefix: "yes" as "migrate" }, "useHostPrefix"],
  ])("%s is a configuration error that names the option", async (_, changes, option) => {
    const app = createPasswordApp({ useHostPrefix: true, ...changes })
    await app.openBrowser().open("/auth/session")
    expect([...new Set(app.errorCodes)]).toEqual(["InvalidOption"])
    expect(app.lines.join()).toContain(option)
  })
})

describe.each(["jwt", "database"] as const)("changing the name, strategy %s", (strategy) => {
  async function createChangingSite() {
    const site = await createTestSite({ session: { strategy } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    expect(listSessionCookies(browser)).toEqual([oldName])
    const change = (changes: Partial<TestSiteConfig>) => Object.assign(site.config, changes)
    return { site, browser, change }
  }

  test("keeps users signed in, and renames their cookie at the next access", async () => {
    const { browser, change } = await createChangingSite()
    change({ useHostPrefix: "migrate" })
    expect(await browser.getSession()).not.toBeNull()
    expect(listSessionCookies(browser)).toEqual([newName])
    expect(await browser.getSession()).not.toBeNull()
    change({ useHostPrefix: true })
    expect(await browser.getSession()).not.toBeNull()
  })

  test("signs out under both names", async () => {
    const { browser, change } = await createChangingSite()
    change({ useHostPrefix: "migrate" })
    await browser.signOut()
    expect(listSessionCookies(browser)).toEqual([])
    expect(await browser.getSession()).toBeNull()
  })

  test("replaces the old cookie at a new sign-in", async () => {
    const { site, browser, change } = await createChangingSite()
    change({ useHostPrefix: "migrate" })
    await browser.signIn(site.provider)
    expect(listSessionCookies(browser)).toEqual([newName])
    expect(await browser.getSession()).not.toBeNull()
  })

  test("prefers the new name, which no sub-domain can set", async () => {
    const { site, browser, change } = await createChangingSite()
    const old = [...browser.cookies].find(({ name }) => name === oldName)?.value
    change({ useHostPrefix: "migrate" })
    site.provider.setUser({ sub: "bob", email: "bob@example.com", name: "Bob" })
    await browser.signIn(site.provider)
    const session = await browser.getSession()
    browser.cookies.setUnchecked(
      "https://evil.app.example",
      `${oldName}=${old}; Domain=app.example; Path=/auth; Secure`,
    )
    expect(await browser.getSession()).toMatchObject({ user: { name: session?.user?.name } })
  })
})

test("`createAuth` reads both names while the name changes", async () => {
  const app = createPasswordApp()
  const browser = await app.openSignedInBrowser()
  const headers = new Headers({ cookie: `${oldName}=${browser.cookies.get(oldName)?.value}` })
  const auth = createAuth({ ...app.config, useHostPrefix: "migrate" })
  const { session, cookies } = await auth.getSession({ headers, url: "https://app.example/" })
  expect(session).toMatchObject({ user: { name: "ada" } })
  expect(cookies.map(({ name }) => name).sort()).toEqual([newName, oldName])
})
