import tenantidp, { type TenantIdpProfile } from "@latchkey/core/providers/tenantidp"
import { browser, errorOf, type SigningAlgorithm, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

async function setting(changes: object = {}, alg: SigningAlgorithm = "RS256") {
  const issuer = `https://${alg.toLowerCase()}.tenant.example`
  const provider = await scriptedProvider({ id: "tenantidp", alg, issuer })
  const at = await oauthApp(tenantidp({ ...provider.asOptions(), tenantId: "t 1", ...changes }))
  return { provider, at, alice: browser(at.app) }
}

describe("the tenant provider", () => {
  test("asks for the scope and the tenant of the specification", async () => {
    const { provider, alice } = await setting()
    const begun = await alice.begin(provider)
    expect(begun.origin + begun.pathname).toBe(provider.endpoints.authorize)
    const { searchParams } = begun
    expect(searchParams.get("scope")).toBe("offline_access email openid profile")
    expect(searchParams.get("tenantId")).toBe("t 1")
    expect(searchParams.get("redirect_uri")).toBe("https://app.example/auth/callback/tenantidp")
    expect(searchParams.get("code_challenge_method")).toBe("S256")
    expect(searchParams.has("state")).toBe(true)
  })

  test("uses the endpoints of the specification, and the metadata of the tenant", async () => {
    const { provider, alice } = await setting({ idToken: false })
    const answer = await alice.signIn(provider)
    expect(answer.headers.get("location")).toBe("https://app.example")
    const { issuer } = provider
    expect(provider.requests.map(({ url }) => url.href)).toEqual([
      `${issuer}/.well-known/openid-configuration?tenantId=t%201`,
      `${issuer}/oauth2/token`,
      `${issuer}/jwks`,
      `${issuer}/oauth2/userinfo`,
    ])
  })

  test("takes the claims from the ID token unless told otherwise", async () => {
    const { provider, alice, at } = await setting()
    await alice.signIn(provider)
    expect(provider.userinfoRequests).toEqual([])
    expect(at.rows("Account")).toMatchObject([
      { provider: "tenantidp", type: "oidc", providerAccountId: "ada" },
    ])
  })

  test("needs no tenant", async () => {
    const { provider, alice } = await setting({ tenantId: undefined })
    const begun = await alice.begin(provider)
    expect(begun.searchParams.has("tenantId")).toBe(false)
    expect(provider.discoveryRequests[0]?.url.search).toBe("")
  })

  test("knows its endpoints though the issuer ends with a slash", async () => {
    const issuer = "https://slash.example/"
    const provider = await scriptedProvider({ id: "tenantidp", issuer })
    const at = await oauthApp(tenantidp(provider.asOptions()))
    const answer = await browser(at.app).signIn(provider)
    expect(answer.headers.get("location")).toBe("https://app.example")
    expect(provider.tokenRequests[0]?.url.href).toBe("https://slash.example/oauth2/token")
  })

  test("lets the application replace any of it", async () => {
    const { provider, alice } = await setting({
      id: "tenantidp",
      name: "Our accounts",
      authorization: { params: { scope: "openid" } },
      token: { url: "https://rs256.tenant.example/token" },
      profile: ({ sub }: TenantIdpProfile) => ({ id: `own-${sub}`, name: "Own" }),
    })
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("scope")).toBe("openid")
    expect(begun.searchParams.get("tenantId")).toBe("t 1")
    await alice.open(provider.approve(begun))
    expect(provider.tokenRequests[0]?.url.pathname).toBe("/token")
    expect(await alice.session()).toMatchObject({ user: { name: "Own" } })
  })
})

describe("the tenant provider's answers", () => {
  test.each(["ES256", "PS256"] as const)("73 are refused when signed with %s", async (alg) => {
    const { provider, alice, at } = await setting({}, alg)
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test("may carry a challenge", async () => {
    const { provider, alice } = await setting()
    provider.misbehave({ wwwAuthenticate: 'Bearer realm="tenant"' })
    const answer = await alice.signIn(provider)
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test("tell why a token was refused, though they carry a challenge", async () => {
    const { provider, alice, at } = await setting()
    provider.misbehave({ wwwAuthenticate: "Bearer", token: "status-400" })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    expect(at.log()).toContain("No such code.")
  })

  const reply = (status: number) =>
    new Response("the body", {
      status,
      statusText: "As it was",
      headers: { "WWW-Authenticate": "Bearer", "x-kept": "yes" },
    })

  async function conformed(status: number): Promise<Response | undefined> {
    const { token } = tenantidp({ issuer: "https://tenant.example" })
    return typeof token === "object" ? token.conform?.(reply(status)) : undefined
  }

  test.each([200, 400, 403, 500])("lose the challenge with status %d", async (status) => {
    const mended = await conformed(status)
    expect([...(mended?.headers.keys() ?? [])].sort()).toEqual(["content-type", "x-kept"])
    expect([mended?.status, mended?.statusText]).toEqual([status, "As it was"])
    expect(await mended?.text()).toBe("the body")
  })

  test("keep the challenge with status 401", async () => {
    const mended = await conformed(401)
    expect(mended?.headers.get("www-authenticate")).toBe("Bearer")
    expect(await mended?.text()).toBe("the body")
  })
})

describe("the tenant provider's profile", () => {
  const named: [object, string | null][] = [
    [{}, null],
    [{ name: "Ada Lovelace", preferred_username: "ada" }, "Ada Lovelace"],
    [{ preferred_username: "countess", given_name: "Ada" }, "countess"],
    [{ given_name: "Ada", middle_name: "King", family_name: "Lovelace" }, "Ada King Lovelace"],
    [{ given_name: "Ada", family_name: "Lovelace" }, "Ada Lovelace"],
    [{ family_name: "Lovelace" }, "Lovelace"],
  ]
  test.each(named)("of %j is called %s", async (claims, name) => {
    const { provider, alice, at } = await setting()
    provider.user({ sub: "42", email: "Ada@Example.com", ...claims })
    await alice.signIn(provider)
    expect(at.rows("User")).toMatchObject([{ name, email: "ada@example.com", image: null }])
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "42" }])
  })

  test("may have a picture", async () => {
    const { provider, alice } = await setting()
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({
      user: { image: "https://idp.example/ada.png" },
    })
  })
})

describe("a tenant provider that is not fully written down", () => {
  const complete = { issuer: "https://tenant.example", clientId: "us", clientSecret: "secret" }
  const lacking: [string, object, RegExp][] = [
    ["no issuer", { issuer: undefined }, /InvalidEndpoints.*tenantidp to have an `issuer`/],
    ["no client id", { clientId: undefined }, /InvalidEndpoints.*tenantidp to have a `clientId`/],
    ["an issuer by http", { issuer: "http://tenant.example" }, /InvalidEndpoints.*https URL/],
    ["an issuer that is no URL", { issuer: "tenant.example" }, /InvalidEndpoints.*https URL/],
  ]
  test.each(lacking)("is an error of the configuration: %s", async (_, changes, told) => {
    const at = await oauthApp(tenantidp({ ...complete, ...changes }))
    const alice = browser(at.app)
    expect((await alice.open("/auth/signin")).status).toBe(500)
    const answer = await alice.post("/auth/signin/tenantidp")
    expect([answer.status, errorOf(answer)]).toEqual([500, null])
    expect(at.log()).toMatch(told)
    expect(at.log()).not.toContain("undefined/")
  })
})
