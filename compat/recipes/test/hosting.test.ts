/** The recipe for Hono behind nginx, with the configuration of docs/hosting.md. */
import { once } from "node:events"
import { serve } from "@hono/node-server"
import { createTestBrowser, createTestSessionCookies, withFrozenTime } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { areInstalled } from "../../../scripts/processes/programs.ts"
import { startNginx } from "./support/nginx.ts"
import { connectByTls } from "./support/proxy.ts"
import { startRecipe } from "./support/recipe-app.ts"

const origin = "https://example.com"

async function startBehindNginx() {
  const variables = { AUTH_URL: `${origin}/auth`, NODE_ENV: "production" }
  const recipe = await startRecipe(async () => {
    const { app } = await import("../hono/app.ts")
    const { config } = await import("../hono/auth.ts")
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" })
    await once(server, "listening")
    return { config, server, close: () => server.close() }
  }, variables)
  onTestFinished(recipe.close)
  const app = connectByTls(await startNginx(recipe.port))
  return { ...recipe, app }
}

describe.runIf(areInstalled("nginx", "openssl"))("behind nginx", () => {
  test("users sign in, with secure cookies and the public redirect URI", async () => {
    const { app, provider } = await startBehindNginx()
    const browser = createTestBrowser(app, { origin })
    const signInUrl = await browser.startSignIn(provider, { callbackUrl: "/members" })
    expect(signInUrl.searchParams.get("redirect_uri")).toBe(`${origin}/auth/callback/keycloak`)
    const response = await browser.open(provider.approve(signInUrl))
    expect(await (await browser.followRedirect(response)).text()).toBe("Hello Ada Lovelace")
    expect(browser.cookies.names).toContain("__Secure-authjs.session-token")
    expect(browser.cookies.rejected).toEqual([])
  })

  test("a session of three cookies fits into requests and responses", async () => {
    const { app, config } = await startBehindNginx()
    const user = { id: "7", name: "A".repeat(7000) }
    const twoDaysAgo = Date.now() - 2 * 24 * 3600 * 1000
    const { setCookieHeaders } = await withFrozenTime(twoDaysAgo, () =>
      createTestSessionCookies(config, user, { url: origin }),
    )
    expect(setCookieHeaders).toHaveLength(3)
    const browser = createTestBrowser(app, { origin })
    browser.storeCookies(setCookieHeaders)
    const response = await browser.open("/members")
    expect(await response.text()).toBe(`Hello ${user.name}`)
    expect(response.headers.getSetCookie()).toHaveLength(3)
  })

  test("requests for other hosts are refused", async () => {
    const { app } = await startBehindNginx()
    await expect(
      createTestBrowser(app, { origin: "https://evil.example" }).open("/"),
    ).rejects.toThrow()
  })
})
