/** Security cases 18, 19 and 24: whose host it is. */
import { Auth, setEnvDefaults } from "@latchkey/core"
import type { AuthAction, PublicProvider } from "@latchkey/core/types"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { findElements } from "../support/html-parser.ts"
import {
  createMinimalSite,
  createTestSite,
  postForm,
  sendRequest,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

const actions: AuthAction[] = [
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
]
const providerRoutes = ["signin", "callback", "webauthn-options"].map(
  (name) => `${name}/credentials`,
)

/** The same site, whose developer says nothing about the host. */
function withoutTrustHost({
  config: { trustHost: _, ...config },
}: {
  config: TestSiteConfig
}): TestSiteConfig {
  return config
}

describe("a host that is not trusted", () => {
  test.each([...actions, ...providerRoutes])(
    "is refused for %s, whatever the method",
    async (route) => {
      const site = createMinimalSite()
      for (const method of ["GET", "POST"]) {
        const response = await sendRequest(withoutTrustHost(site), `/auth/${route}`, { method })
        expect(response.status).toBe(500)
        expect(response.headers.getSetCookie()).toEqual([])
      }
      expect(new Set(site.log.errorCodes)).toEqual(new Set(["UntrustedHost"]))
    },
  )

  test("refuses a sign-in with valid credentials", async () => {
    const site = createMinimalSite()
    let config = site.config
    const alice = createTestBrowser((request) => Auth(request, config))
    const csrfToken = await alice.getCsrfToken()
    config = withoutTrustHost(site)
    const response = await alice.post("/auth/callback/credentials", {
      csrfToken,
      ...validCredentials,
    })
    expect(response.status).toBe(500)
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("does not return a session that was valid before", async () => {
    const site = createMinimalSite()
    let config = site.config
    const alice = createTestBrowser((request) => Auth(request, config))
    await alice.signIn("credentials", validCredentials)
    config = withoutTrustHost(site)
    const response = await alice.fetch("/auth/session")
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain("Ada")
  })

  test.each(["false", "0"])("AUTH_TRUST_HOST=%s does not trust it", async (AUTH_TRUST_HOST) => {
    const config = withoutTrustHost(createMinimalSite())
    setEnvDefaults({ AUTH_TRUST_HOST }, config)
    expect((await sendRequest(config, "/auth/session")).status).toBe(500)
  })
})

describe("headers with another host", () => {
  const lies = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "x-forwarded-port": "8443",
    "x-forwarded-prefix": "/evil",
    "x-original-host": "evil.example",
    "x-original-url": "https://evil.example/auth/session",
    "x-rewrite-url": "/evil",
    forwarded: "host=evil.example;proto=http",
    referer: "https://evil.example/",
  }

  test("change no URL in a response of the core", async () => {
    const { config, provider } = await createTestSite()
    const ordinary = await sendRequest(config, "/auth/providers")
    const lied = await sendRequest(config, "/auth/providers", { headers: lies })
    const list: Record<string, PublicProvider> = await lied.json()
    expect(list).toEqual(await ordinary.json())
    expect(list["scripted"]?.callbackUrl).toBe(`${siteOrigin}/auth/callback/scripted`)

    const alice = createTestBrowser(createMinimalSite({ providers: [provider.asOidc()] }).app, {
      headers: lies,
    })
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
      `${siteOrigin}/auth/callback/scripted`,
    )
  })

  test("change no page, no cookie and no redirect", async () => {
    const { config } = createMinimalSite()
    for (const action of ["signin", "signout", "error", "verify-request"]) {
      const response = await sendRequest(config, `/auth/${action}`, { headers: lies })
      const page = await response.text()
      expect(page).not.toContain("evil")
      const actionUrls = findElements(page, "form").map(({ attributes }) =>
        attributes.get("action"),
      )
      for (const url of actionUrls) expect(url).toMatch(`${siteOrigin}/auth/`)
      const cookies = response.headers.getSetCookie()
      expect(cookies.length).toBeGreaterThan(0)
      for (const cookie of cookies) expect(cookie).toMatch(/^__(?:Host|Secure)-.*; Secure/)
    }
    const refused = await postForm(config, "/auth/signin", {}, lies)
    expect(new URL(refused.headers.get("location") ?? "").origin).toBe(siteOrigin)
  })

  test("the link in an e-mail has the host of the request's URL", async () => {
    const { config, links } = await createTestSite()
    const alice = createTestBrowser((request) => Auth(request, config), { headers: lies })
    const csrfToken = await alice.getCsrfToken()
    await alice.post("/auth/signin/email", { csrfToken, email: "ada@example.com" })
    expect(links.map((link) => new URL(link).origin)).toEqual([siteOrigin])
  })
})

describe("one process with several hosts", () => {
  const hosts = ["https://one.example", "https://two.example", "http://three.example:8080"]

  test("the host of one request is never used for another one, concurrent or later", async () => {
    const { config, app, provider, links } = await createTestSite()
    const visitors = hosts.map((origin) => createTestBrowser(app, { origin }))
    for (const round of [1, 2]) {
      await Promise.all(
        visitors.map(async (browser) => {
          const { origin } = browser
          const authorizationUrl = await browser.startSignIn(provider, {
            callbackUrl: `/home-${round}`,
          })
          expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
            `${origin}/auth/callback/scripted`,
          )
          const response = await browser.open(provider.approve(authorizationUrl))
          expect(response.headers.get("location")).toBe(`${origin}/home-${round}`)
          await browser.signIn("email", { email: `${new URL(origin).hostname}@example.com` })
          const list = await (await app(new Request(`${origin}/auth/providers`))).text()
          for (const other of hosts) expect(list.includes(other)).toBe(other === origin)
        }),
      )
    }
    const sent = links.map((link) => new URL(link))
    for (const link of sent) expect(link.searchParams.get("email")).toMatch(link.hostname)
    expect(sent).toHaveLength(hosts.length * 2)
    expect(config.trustHost).toBe(true)
  })
})
