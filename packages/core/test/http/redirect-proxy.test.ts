/** Security case 16: a provider that knows one redirect URI, and deployments that share it. */

import { Auth, setEnvDefaults } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import { assertRefused, createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createDeployments,
  openAtProxy,
  stableCallback,
  stableOrigin,
} from "../support/deployments.ts"
import { expectExpiredResponseIgnored } from "../support/expired-response.ts"
import { testSiteSecret } from "../support/test-site.ts"

const previewOrigin = "https://pr-7.app.example"

describe("a sign-in on a preview deployment", () => {
  test("starts with the redirect URI of the stable deployment and returns through it", async () => {
    const all = await createDeployments()
    const { provider, proxy, deploy } = all
    const alice = deploy(previewOrigin).openBrowser()

    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl: "/inbox" })
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(stableCallback)

    const back = provider.approve(authorizationUrl)
    const forwarded = await openAtProxy(all, back.url)
    expect(forwarded.status).toBe(302)
    const to = new URL(forwarded.headers.get("location") ?? "")
    expect(to.origin + to.pathname).toBe(`${previewOrigin}/auth/callback/scripted`)
    expect([...to.searchParams]).toEqual([...back.parameters])
    expect(provider.tokenRequests).toEqual([])

    const response = await alice.open(to, { from: "https://idp.example" })
    expect(response.headers.get("location")).toBe(`${previewOrigin}/inbox`)
    expect(provider.tokenRequests.map(({ body }) => body.get("redirect_uri"))).toEqual([
      stableCallback,
    ])
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(proxy.log.errorCodes).toEqual([])
  })

  test("signs nobody in at the stable deployment", async () => {
    const all = await createDeployments()
    const alice = all.deploy(previewOrigin).openBrowser()
    const bystander = all.proxy.openBrowser()
    const back = all.provider.approve(await alice.startSignIn(all.provider))
    await bystander.open(back)
    expect(bystander.cookies.names.some((name) => name.includes("session-token"))).toBe(false)
    expect(await bystander.getSession()).toBeNull()
  })

  test("receives the refusal of the provider", async () => {
    const all = await createDeployments()
    const alice = all.deploy(previewOrigin).openBrowser()
    const denied = all.provider.deny(await alice.startSignIn(all.provider))
    const forwarded = await openAtProxy(all, denied.url)
    const response = await alice.open(forwarded.headers.get("location") ?? "")
    assertRefused(response, { origin: previewOrigin })
    expect(getRedirectError(response)).toBe("OAuthCallbackError")
  })

  test("is completed once, by the browser that started it", async () => {
    const all = await createDeployments()
    const site = all.deploy(previewOrigin)
    const alice = site.openBrowser()
    const back = all.provider.approve(await alice.startSignIn(all.provider))
    const to = (await openAtProxy(all, back.url)).headers.get("location") ?? ""
    assertRefused(await site.openBrowser().open(to), { origin: previewOrigin })
    expect(all.provider.tokenRequests).toEqual([])
    await alice.open(to)
    expect(await alice.getSession()).not.toBeNull()
    expectExpiredResponseIgnored(await alice.open(to), previewOrigin)
  })

  test("works during a rotation of the secret", async () => {
    const secret = ["a newer secret of the same deployments", testSiteSecret]
    const all = await createDeployments({ secret })
    const alice = all.deploy(previewOrigin).openBrowser()
    const back = all.provider.approve(await alice.startSignIn(all.provider))
    const forwarded = await openAtProxy(all, back.url)
    await alice.open(forwarded.headers.get("location") ?? "")
    expect(await alice.getSession()).not.toBeNull()
  })

  test("posts a form_post response itself, because a form cannot be forwarded", async () => {
    const { provider, deploy } = await createDeployments()
    const posted = provider.asOidc({ authorization: { params: { response_mode: "form_post" } } })
    const alice = deploy(previewOrigin, { providers: [posted] }).openBrowser()
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
      `${previewOrigin}/auth/callback/scripted`,
    )
  })

  test("accepts the state of a deployment of Auth.js", async () => {
    const all = await createDeployments()
    const token = { random: "r".repeat(43), origin: `${previewOrigin}/auth/callback/scripted` }
    const state = await encode({ token, secret: testSiteSecret, salt: "encodedState", maxAge: 900 })
    const query = new URLSearchParams({ code: "c", state })
    const forwarded = await openAtProxy(all, `${stableCallback}?${query}`)
    expect(forwarded.headers.get("location")).toBe(`${token.origin}?${query}`)
  })
})

describe("the stable deployment itself", () => {
  test("signs users in as without a proxy", async () => {
    const { provider, proxy } = await createDeployments()
    const alice = proxy.openBrowser()
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("state")).toMatch(/^[\w-]{43}$/)
    await alice.open(provider.approve(authorizationUrl))
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("can have a trailing slash in `redirectProxyUrl`", async () => {
    const { provider, deploy } = await createDeployments()
    const alice = deploy(previewOrigin, { redirectProxyUrl: `${stableOrigin}/auth/` }).openBrowser()
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(stableCallback)
  })
})

describe("redirectProxyUrl", () => {
  test("of a provider takes precedence over that of the configuration", async () => {
    const { provider, deploy } = await createDeployments()
    const own = provider.asOidc({ redirectProxyUrl: "https://other.example/login" })
    const authorizationUrl = await deploy(previewOrigin, { providers: [own] })
      .openBrowser()
      .startSignIn(provider)
    const redirectUri = authorizationUrl.searchParams.get("redirect_uri")
    expect(redirectUri).toBe("https://other.example/login/callback/scripted")
  })

  test("is read from AUTH_REDIRECT_PROXY_URL if it is not configured", async () => {
    const { provider, deploy } = await createDeployments()
    const { redirectProxyUrl: _, ...config } = deploy(previewOrigin).config
    setEnvDefaults({ AUTH_REDIRECT_PROXY_URL: `${stableOrigin}/auth` }, config)
    const alice = deploy(previewOrigin, config).openBrowser()
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(stableCallback)
  })

  test("is not used if it is not set", async () => {
    const { provider, deploy } = await createDeployments()
    const { redirectProxyUrl: _, ...config } = deploy(previewOrigin).config
    const alice = createTestBrowser((request) => Auth(request, config), { origin: previewOrigin })
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
      `${previewOrigin}/auth/callback/scripted`,
    )
  })
})
