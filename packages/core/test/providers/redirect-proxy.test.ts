import { browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

const stable = "https://app.example"
const preview = "https://preview.app.example"
const redirectProxyUrl = `${stable}/auth`
const registered = `${stable}/auth/callback/scripted`

/** A deployment whose URL changes, and the one that the provider knows. */
async function deployments() {
  const provider = await scriptedProvider({ redirectUris: [registered] })
  const written = provider.asOidc({ redirectProxyUrl })
  const at = await oauthApp(written)
  const proxy = await oauthApp(written)
  return {
    provider,
    at,
    proxy,
    alice: browser(at.app, { origin: preview }),
    atProxy: browser(proxy.app, { origin: stable }),
  }
}

describe("a redirect proxy of one provider", () => {
  test("brings the answer to the deployment that asked, which completes the sign-in", async () => {
    const { provider, alice, atProxy, at, proxy } = await deployments()
    const begun = await alice.begin(provider, { callbackUrl: "/inbox" })
    expect(begun.searchParams.get("redirect_uri")).toBe(registered)
    const forwarded = await atProxy.open(provider.approve(begun))
    const to = forwarded.headers.get("location") ?? ""
    expect(to).toMatch(`${preview}/auth/callback/scripted?`)
    const answer = await alice.open(to, { from: provider.issuer })
    expect(answer.headers.get("location")).toBe(`${preview}/inbox`)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(provider.tokenRequests.map(({ body }) => body.get("redirect_uri"))).toEqual([registered])
    expect(proxy.rows("User")).toEqual([])
    expect(at.rows("User")).toHaveLength(1)
  })

  test("signs its own visitors in as ever", async () => {
    const { provider, atProxy, proxy } = await deployments()
    const answer = await atProxy.signIn(provider)
    expect(answer.headers.get("location")).toBe(stable)
    expect(proxy.rows("User")).toHaveLength(1)
  })

  test("forwards nothing of an answer that nobody could use", async () => {
    const { provider, alice, atProxy, proxy } = await deployments()
    const comeback = provider.approve(await alice.begin(provider))
    comeback.parameters.append("code", "another")
    await expectNothingCameOfIt(await atProxy.open(comeback), atProxy, proxy, provider)
  })

  test("leaves the other providers of the application alone", async () => {
    const { provider } = await deployments()
    const other = await scriptedProvider({ id: "other", issuer: "https://other.example" })
    const at = await oauthApp([provider.asOidc({ redirectProxyUrl }), other.asOidc()])
    const begun = await browser(at.app, { origin: preview }).begin(other)
    expect(begun.searchParams.get("redirect_uri")).toBe(`${preview}/auth/callback/other`)
  })

  test("wins over the one of the whole application", async () => {
    const { provider } = await deployments()
    const at = await oauthApp(provider.asOidc({ redirectProxyUrl }), {
      redirectProxyUrl: "https://elsewhere.example/auth",
    })
    const begun = await browser(at.app, { origin: preview }).begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(registered)
  })

  test("is not used where answers are posted", async () => {
    const provider = await scriptedProvider()
    const authorization = { params: { response_mode: "form_post" } }
    const at = await oauthApp(provider.asOidc({ redirectProxyUrl, authorization }))
    const begun = await browser(at.app, { origin: preview }).begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(`${preview}/auth/callback/scripted`)
  })

  test("that is no URL is an error of the configuration", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc({ redirectProxyUrl: "app.example/auth" }))
    const answer = await browser(at.app).open("/auth/signin")
    expect(answer.status).toBe(500)
    expect(at.log()).toContain("redirectProxyUrl")
  })
})
