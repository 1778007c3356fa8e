import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const stableOrigin = "https://app.example"
const previewOrigin = "https://preview.app.example"
const redirectProxyUrl = `${stableOrigin}/auth`
const registeredCallback = `${stableOrigin}/auth/callback/scripted`

/** A preview deployment, and the deployment that is registered with the provider. */
async function createDeployments() {
  const provider = await createScriptedProvider({ redirectUris: [registeredCallback] })
  const written = provider.asOidc({ redirectProxyUrl })
  const app = await createOAuthApp(written)
  const proxy = await createOAuthApp(written, { redirectProxyOrigins: [previewOrigin] })
  return {
    provider,
    app,
    proxy,
    alice: createTestBrowser(app.app, { origin: previewOrigin }),
    atProxy: createTestBrowser(proxy.app, { origin: stableOrigin }),
  }
}

describe("a redirect proxy of one provider", () => {
  test("forwards the response to the deployment that started the sign-in", async () => {
    const { provider, alice, atProxy, app, proxy } = await createDeployments()
    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl: "/inbox" })
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(registeredCallback)
    const forwarded = await atProxy.open(provider.approve(authorizationUrl))
    const to = forwarded.headers.get("location") ?? ""
    expect(to).toMatch(`${previewOrigin}/auth/callback/scripted?`)
    const response = await alice.open(to, { from: provider.issuer })
    expect(response.headers.get("location")).toBe(`${previewOrigin}/inbox`)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(provider.tokenRequests.map(({ body }) => body.get("redirect_uri"))).toEqual([
      registeredCallback,
    ])
    expect(proxy.readRows("User")).toEqual([])
    expect(app.readRows("User")).toHaveLength(1)
  })

  test("signs its own users in", async () => {
    const { provider, atProxy, proxy } = await createDeployments()
    const response = await atProxy.signIn(provider)
    expect(response.headers.get("location")).toBe(stableOrigin)
    expect(proxy.readRows("User")).toHaveLength(1)
  })

  test("forwards no invalid response", async () => {
    const { provider, alice, atProxy, proxy } = await createDeployments()
    const comeback = provider.approve(await alice.startSignIn(provider))
    comeback.parameters.append("code", "another")
    await expectSignInRefused(await atProxy.open(comeback), atProxy, proxy, provider)
  })

  test("does not affect other providers", async () => {
    const { provider } = await createDeployments()
    const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
    const app = await createOAuthApp([provider.asOidc({ redirectProxyUrl }), other.asOidc()])
    const authorizationUrl = await createTestBrowser(app.app, {
      origin: previewOrigin,
    }).startSignIn(other)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
      `${previewOrigin}/auth/callback/other`,
    )
  })

  test("overrides the one of the configuration", async () => {
    const { provider } = await createDeployments()
    const app = await createOAuthApp(provider.asOidc({ redirectProxyUrl }), {
      redirectProxyUrl: "https://elsewhere.example/auth",
    })
    const authorizationUrl = await createTestBrowser(app.app, {
      origin: previewOrigin,
    }).startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(registeredCallback)
  })

  test("is not used with form_post", async () => {
    const provider = await createScriptedProvider()
    const authorization = { params: { response_mode: "form_post" } }
    const app = await createOAuthApp(provider.asOidc({ redirectProxyUrl, authorization }))
    const authorizationUrl = await createTestBrowser(app.app, {
      origin: previewOrigin,
    }).startSignIn(provider)
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
      `${previewOrigin}/auth/callback/scripted`,
    )
  })

  test("is an error of the configuration if it is not a URL", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ redirectProxyUrl: "app.example/auth" }))
    expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
    expect(app.readLog()).toContain("redirectProxyUrl")
  })
})
