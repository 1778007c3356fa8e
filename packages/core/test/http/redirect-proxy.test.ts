/** Security case 16: a provider that knows one redirect URI, and deployments that share it. */
import { Auth, setEnvDefaults } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import { assertRefused, browser, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { atProxy, deployments, stable, stableCallback } from "../support/deployments.ts"
import { siteSecret } from "../support/front-door.ts"

const preview = "https://pr-7.app.example"

describe("a sign-in on a preview", () => {
  test("16 goes out with the redirect URI of the stable deployment and comes home through it", async () => {
    const all = await deployments()
    const { provider, proxy, deploy } = all
    const alice = deploy(preview).visitor()

    const begun = await alice.begin(provider, { callbackUrl: "/inbox" })
    expect(begun.searchParams.get("redirect_uri")).toBe(stableCallback)

    const back = provider.approve(begun)
    const forwarded = await atProxy(all, back.url)
    expect(forwarded.status).toBe(302)
    const to = new URL(forwarded.headers.get("location") ?? "")
    expect(to.origin + to.pathname).toBe(`${preview}/auth/callback/scripted`)
    expect([...to.searchParams]).toEqual([...back.parameters])
    expect(provider.tokenRequests).toEqual([])

    const answer = await alice.open(to, { from: "https://idp.example" })
    expect(answer.headers.get("location")).toBe(`${preview}/inbox`)
    expect(provider.tokenRequests.map(({ body }) => body.get("redirect_uri"))).toEqual([
      stableCallback,
    ])
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(proxy.log.errors).toEqual([])
  })

  test("16 leaves nobody signed in at the stable deployment", async () => {
    const all = await deployments()
    const alice = all.deploy(preview).visitor()
    const bystander = all.proxy.visitor()
    const back = all.provider.approve(await alice.begin(all.provider))
    await bystander.open(back)
    expect(bystander.cookies.names.some((name) => name.includes("session-token"))).toBe(false)
    expect(await bystander.session()).toBeNull()
  })

  test("16 passes the refusal of the provider on", async () => {
    const all = await deployments()
    const alice = all.deploy(preview).visitor()
    const denied = all.provider.deny(await alice.begin(all.provider))
    const forwarded = await atProxy(all, denied.url)
    const answer = await alice.open(forwarded.headers.get("location") ?? "")
    assertRefused(answer, { origin: preview })
    expect(errorOf(answer)).toBe("OAuthCallbackError")
  })

  test("16 is finished by the browser that began it, once", async () => {
    const all = await deployments()
    const site = all.deploy(preview)
    const alice = site.visitor()
    const back = all.provider.approve(await alice.begin(all.provider))
    const to = (await atProxy(all, back.url)).headers.get("location") ?? ""
    assertRefused(await site.visitor().open(to), { origin: preview })
    expect(all.provider.tokenRequests).toEqual([])
    await alice.open(to)
    expect(await alice.session()).not.toBeNull()
    assertRefused(await alice.open(to), { origin: preview })
  })

  test("16 works while the secret is being rotated", async () => {
    const secret = ["a newer secret of the same deployments", siteSecret]
    const all = await deployments({ secret })
    const alice = all.deploy(preview).visitor()
    const back = all.provider.approve(await alice.begin(all.provider))
    const forwarded = await atProxy(all, back.url)
    await alice.open(forwarded.headers.get("location") ?? "")
    expect(await alice.session()).not.toBeNull()
  })

  test("16 sends a form_post answer home by itself, because a form cannot be forwarded", async () => {
    const { provider, deploy } = await deployments()
    const posted = provider.asOidc({ authorization: { params: { response_mode: "form_post" } } })
    const alice = deploy(preview, { providers: [posted] }).visitor()
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(`${preview}/auth/callback/scripted`)
  })

  test("16 understands the state of a deployment of the predecessor", async () => {
    const all = await deployments()
    const token = { random: "r".repeat(43), origin: `${preview}/auth/callback/scripted` }
    const state = await encode({ token, secret: siteSecret, salt: "encodedState", maxAge: 900 })
    const query = new URLSearchParams({ code: "c", state })
    const forwarded = await atProxy(all, `${stableCallback}?${query}`)
    expect(forwarded.headers.get("location")).toBe(`${token.origin}?${query}`)
  })
})

describe("the stable deployment itself", () => {
  test("16 signs people in as if there were no others", async () => {
    const { provider, proxy } = await deployments()
    const alice = proxy.visitor()
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("state")).toMatch(/^[\w-]{43}$/)
    await alice.open(provider.approve(begun))
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("16 may have a trailing slash in `redirectProxyUrl`", async () => {
    const { provider, deploy } = await deployments()
    const alice = deploy(preview, { redirectProxyUrl: `${stable}/auth/` }).visitor()
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(stableCallback)
  })
})

describe("redirectProxyUrl", () => {
  test("of a provider goes before that of the configuration", async () => {
    const { provider, deploy } = await deployments()
    const own = provider.asOidc({ redirectProxyUrl: "https://other.example/login" })
    const begun = await deploy(preview, { providers: [own] })
      .visitor()
      .begin(provider)
    const redirectUri = begun.searchParams.get("redirect_uri")
    expect(redirectUri).toBe("https://other.example/login/callback/scripted")
  })

  test("comes from AUTH_REDIRECT_PROXY_URL when the configuration does not say", async () => {
    const { provider, deploy } = await deployments()
    const { redirectProxyUrl: _, ...config } = deploy(preview).config
    setEnvDefaults({ AUTH_REDIRECT_PROXY_URL: `${stable}/auth` }, config)
    const alice = deploy(preview, config).visitor()
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(stableCallback)
  })

  test("is not used where it is not set", async () => {
    const { provider, deploy } = await deployments()
    const { redirectProxyUrl: _, ...config } = deploy(preview).config
    const alice = browser((request) => Auth(request, config), { origin: preview })
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(`${preview}/auth/callback/scripted`)
  })
})
