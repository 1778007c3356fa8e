import { allowInsecureRequests, customFetch } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { createScriptedProvider, createTestBrowser, type ScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const home = "https://app.example"

/** An OAuth 2 provider whose endpoints come from the metadata. */
function asOAuthByMetadata(provider: ScriptedProvider) {
  const { authorization: _a, token: _t, userinfo: _u, ...rest } = provider.asOAuth()
  return rest
}

describe("endpoints of a public issuer", () => {
  const options = {
    authorization_endpoint: "authorization",
    token_endpoint: "token",
    userinfo_endpoint: "userinfo",
    jwks_uri: "jwks_endpoint",
  }
  const cases = Object.entries(options).flatMap(([endpoint, option]) =>
    ["https://10.1.2.3/x", "https://localhost/x", "http://127.0.0.1:8080/x"].map(
      (url) => [endpoint, url, option] as const,
    ),
  )
  const asUser = (provider: ScriptedProvider, changes: object) =>
    provider.asOidc({ idToken: false, ...changes })

  test.each(cases)("are refused if %s is %s, and the log says to set `%s`", async (...row) => {
    const [endpoint, url, option] = row
    const provider = await createScriptedProvider()
    // Not even with this option: it is about plain http.
    const app = await createOAuthApp(asUser(provider, { [allowInsecureRequests]: true }))
    provider.injectFaults({ discovery: (honest) => ({ ...honest, [endpoint]: url }) })
    const alice = createTestBrowser(app.app)
    const csrfToken = await alice.getCsrfToken()
    const response = await alice.post(alice.getRoutePath("signin/scripted"), { csrfToken })
    await expectSignInRefused(response, alice, app, provider)
    expect(app.readLog()).toContain(`\`${endpoint}\` in the metadata of provider scripted`)
    expect(app.readLog()).toContain(`set \`${option}\``)
  })

  test.each(cases)("may be private if the application set it: %s at %s", async (...row) => {
    const [endpoint, url, option] = row
    const provider = await createScriptedProvider()
    const urls: Record<string, string> = {
      authorization_endpoint: provider.endpoints.authorize,
      token_endpoint: provider.endpoints.token,
      userinfo_endpoint: provider.endpoints.userinfo,
      jwks_uri: provider.endpoints.jwks,
    }
    const requested: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      requested.push(String(input))
      return provider.fetch(String(input) === url ? String(urls[endpoint]) : input, init)
    }
    const app = await createOAuthApp(asUser(provider, { [option]: url, [customFetch]: fetch }))
    // The provider names the same URL.
    provider.injectFaults({ discovery: (honest) => ({ ...honest, [endpoint]: url }) })
    const alice = createTestBrowser(app.app)
    const begun = await alice.startSignIn(provider)
    const authorizationUrl = new URL(provider.endpoints.authorize)
    authorizationUrl.search = begun.search
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location"), app.readLog()).toBe(home)
    expect([begun.origin + begun.pathname, ...requested]).toContain(url)
  })

  test.each<[string, unknown, (provider: ScriptedProvider) => Provider]>([
    ["userinfo_endpoint", "http://10.0.0.1/x", (provider) => provider.asOidc()],
    ["userinfo_endpoint", "not a URL", (provider) => provider.asOidc()],
    ["jwks_uri", "http://10.0.0.1/x", asOAuthByMetadata],
    ["userinfo_endpoint", null, (provider) => provider.asOidc()],
    ["revocation_endpoint", "http://10.0.0.1/x", (provider) => provider.asOidc()],
  ])("are not checked if nothing uses them: %s at %s", async (endpoint, url, create) => {
    const provider = await createScriptedProvider()
    const alice = createTestBrowser((await createOAuthApp(create(provider))).app)
    provider.injectFaults({ discovery: (honest) => ({ ...honest, [endpoint]: url }) })
    expect((await alice.signIn(provider)).headers.get("location")).toBe(home)
  })

  test("are refused if `userinfo.request` receives them", async () => {
    const provider = await createScriptedProvider()
    const written = { ...asOAuthByMetadata(provider), userinfo: { request: () => ({ sub: "x" }) } }
    const app = await createOAuthApp(written as Provider)
    provider.injectFaults({
      discovery: (honest) => ({ ...honest, userinfo_endpoint: "https://10.0.0.1/x" }),
    })
    const alice = createTestBrowser(app.app)
    const csrfToken = await alice.getCsrfToken()
    const response = await alice.post(alice.getRoutePath("signin/scripted"), { csrfToken })
    await expectSignInRefused(response, alice, app, provider)
  })
})
