/** Tests that the application of every recipe passes. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import {
  createTestBrowser,
  createTestSessionCookies,
  getRedirectError,
  getSetCookieNames,
} from "@latchkey/testing"
import { withFrozenTime } from "@latchkey/testing/clock"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { createProxy } from "./proxy.ts"
import { type RunningRecipe, type StartRecipe, startRecipe } from "./recipe-app.ts"

const ada = { username: "ada", password: "correct horse" }
const twoDays = 2 * 24 * 3600 * 1000

export function testRecipe(start: StartRecipe): void {
  describe("with one environment", () => {
    let recipe: RunningRecipe

    beforeAll(async () => {
      recipe = await startRecipe(start)
      return recipe.close
    })

    test("a sign-in with a provider leads back to the protected page", async () => {
      const { url, provider } = recipe
      const browser = createTestBrowser(url)
      const refusal = await browser.open("/members?page=2")
      expect([302, 303]).toContain(refusal.status)
      const signInPage = new URL(refusal.headers.get("location") ?? "", url)
      expect(signInPage.pathname).toBe("/auth/signin")
      const callbackUrl = signInPage.searchParams.get("callbackUrl") ?? ""
      expect(callbackUrl).toBe("/members?page=2")
      const signInUrl = await browser.startSignIn(provider, { callbackUrl })
      const response = await browser.open(provider.approve(signInUrl))
      expect(await (await browser.followRedirect(response)).text()).toBe("Hello Ada Lovelace")
      // The session, and the transaction cookie that is deleted.
      expect(response.headers.getSetCookie().length).toBeGreaterThan(1)
      expect(browser.cookies.rejected).toEqual([])
    })

    test("a password signs in, by form and by JSON", async () => {
      const browser = createTestBrowser(recipe.url)
      await browser.signIn("credentials", ada)
      expect(await (await browser.open("/members")).text()).toBe("Hello Ada")
      const other = createTestBrowser(recipe.url)
      const csrfToken = await other.getCsrfToken()
      await other.fetch("/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, ...ada }),
      })
      expect((await other.getSession())?.user?.name).toBe("Ada")
    })

    test("a wrong password is refused", async () => {
      const browser = createTestBrowser(recipe.url)
      const response = await browser.signIn("credentials", { ...ada, password: "wrong" })
      expect(getRedirectError(response)).toBe("CredentialsSignin")
      expect((await browser.open("/members")).headers.get("location")).toContain("/auth/signin")
    })

    test("a form of another site is refused", async () => {
      const browser = createTestBrowser(recipe.url)
      const fields = { csrfToken: await browser.getCsrfToken(), ...ada }
      await browser.post("/auth/callback/credentials", fields, { from: "https://evil.example" })
      expect(await browser.getSession()).toBeNull()
    })

    test.each(["/auth/session", "/members"])(
      "a malformed Host header is refused: %s",
      async (path) => {
        const outgoing = request(recipe.url + path, { headers: { host: "app example" } }).end()
        const [response] = (await once(outgoing, "response")) as [IncomingMessage]
        expect(response.resume().statusCode).toBe(400)
      },
    )

    test("signing out ends the session", async () => {
      const browser = createTestBrowser(recipe.url)
      await browser.signIn("credentials", ada)
      await browser.signOut()
      expect((await browser.open("/members")).headers.get("location")).toContain("/auth/signin")
    })

    test("a renewed session replaces all of its cookies, and stays out of caches", async () => {
      const { url, config } = recipe
      const user = { id: "7", name: "A".repeat(5000) } // needs two cookies
      const { setCookieHeaders } = await withFrozenTime(Date.now() - twoDays, () =>
        createTestSessionCookies(config, user, { url }),
      )
      const browser = createTestBrowser(url)
      browser.storeCookies(setCookieHeaders)
      const response = await browser.open("/members")
      expect(await response.text()).toBe(`Hello ${user.name}`)
      const cookieNames = ["authjs.session-token.0", "authjs.session-token.1"]
      expect(getSetCookieNames(response)).toEqual(cookieNames)
      expect(response.headers.get("cache-control")).toBe("private, no-store")
      expect(getSetCookieNames(await browser.open("/members"))).toEqual([])
    })
  })

  test("behind a proxy, AUTH_URL is the origin of links and cookies", async () => {
    const variables = { AUTH_URL: "https://app.example/auth", NODE_ENV: "production" }
    const { port, provider, close } = await startRecipe(start, variables)
    onTestFinished(close)
    const browser = createTestBrowser(createProxy(port))
    const signInUrl = await browser.startSignIn(provider, { callbackUrl: "/members" })
    const redirectUri = "https://app.example/auth/callback/keycloak"
    expect(signInUrl.searchParams.get("redirect_uri")).toBe(redirectUri)
    const response = await browser.open(provider.approve(signInUrl))
    expect(await (await browser.followRedirect(response)).text()).toBe("Hello Ada Lovelace")
    expect(browser.cookies.names).toContain("__Secure-authjs.session-token")
    expect(browser.cookies.rejected).toEqual([])
  })

  test("a session that cannot be checked is not a sign-out", async () => {
    const { url, close } = await startRecipe(start, { AUTH_SECRET: "" })
    onTestFinished(close)
    expect((await createTestBrowser(url).open("/members")).status).toBe(503)
  })
}
