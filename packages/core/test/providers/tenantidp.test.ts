import tenantidp, { type TenantIdpProfile } from "@latchkey/core/providers/tenantidp"
import {
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  type SigningAlgorithm,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

async function createSetup(changes: object = {}, alg: SigningAlgorithm = "RS256") {
  const issuer = `https://${alg.toLowerCase()}.tenant.example`
  const provider = await createScriptedProvider({ id: "tenantidp", alg, issuer })
  const app = await createOAuthApp(
    tenantidp({ ...provider.asOptions(), tenantId: "t 1", ...changes }),
  )
  return { provider, app, alice: createTestBrowser(app.app) }
}

describe("the tenant provider", () => {
  test("requests the scope and the tenant of the specification", async () => {
    const { provider, alice } = await createSetup()
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(provider.endpoints.authorize)
    const { searchParams } = authorizationUrl
    expect(searchParams.get("scope")).toBe("offline_access email openid profile")
    expect(searchParams.get("tenantId")).toBe("t 1")
    expect(searchParams.get("redirect_uri")).toBe("https://app.example/auth/callback/tenantidp")
    expect(searchParams.get("code_challenge_method")).toBe("S256")
    expect(searchParams.has("state")).toBe(true)
  })

  test("uses the endpoints of the specification, and the metadata of the tenant", async () => {
    const { provider, alice } = await createSetup({ idToken: false })
    const response = await alice.signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
    const { issuer } = provider
    expect(provider.requests.map(({ url }) => url.href)).toEqual([
      `${issuer}/.well-known/openid-configuration?tenantId=t%201`,
      `${issuer}/oauth2/token`,
      `${issuer}/jwks`,
      `${issuer}/oauth2/userinfo`,
    ])
  })

  test("uses the claims of the ID token by default", async () => {
    const { provider, alice, app } = await createSetup()
    await alice.signIn(provider)
    expect(provider.userinfoRequests).toEqual([])
    expect(app.readRows("Account")).toMatchObject([
      { provider: "tenantidp", type: "oidc", providerAccountId: "ada" },
    ])
  })

  test("works without a tenant", async () => {
    const { provider, alice } = await createSetup({ tenantId: undefined })
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.has("tenantId")).toBe(false)
    expect(provider.discoveryRequests[0]?.url.search).toBe("")
  })

  test("derives its endpoints from an issuer with a trailing slash", async () => {
    const issuer = "https://slash.example/"
    const provider = await createScriptedProvider({ id: "tenantidp", issuer })
    const app = await createOAuthApp(tenantidp(provider.asOptions()))
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(provider.tokenRequests[0]?.url.href).toBe("https://slash.example/oauth2/token")
  })

  test("can be overridden by the application", async () => {
    const { provider, alice } = await createSetup({
      id: "tenantidp",
      name: "Our accounts",
      authorization: { params: { scope: "openid" } },
      token: { url: "https://rs256.tenant.example/token" },
      profile: ({ sub }: TenantIdpProfile) => ({ id: `own-${sub}`, name: "Own" }),
    })
    const authorizationUrl = await alice.startSignIn(provider)
    expect(authorizationUrl.searchParams.get("scope")).toBe("openid")
    expect(authorizationUrl.searchParams.get("tenantId")).toBe("t 1")
    await alice.open(provider.approve(authorizationUrl))
    expect(provider.tokenRequests[0]?.url.pathname).toBe("/token")
    expect(await alice.getSession()).toMatchObject({ user: { name: "Own" } })
  })
})

describe("the responses of the tenant provider", () => {
  test.each(["ES256", "PS256"] as const)("are refused if they are signed with %s", async (alg) => {
    const { provider, alice, app } = await createSetup({}, alg)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  test("can have a challenge", async () => {
    const { provider, alice } = await createSetup()
    provider.injectFaults({ wwwAuthenticate: 'Bearer realm="tenant"' })
    const response = await alice.signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test("show the error of a refused token despite a challenge", async () => {
    const { provider, alice, app } = await createSetup()
    provider.injectFaults({ wwwAuthenticate: "Bearer", token: "status-400" })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toContain("No such code.")
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
  test.each(named)("maps %j to the name %s", async (claims, name) => {
    const { provider, alice, app } = await createSetup()
    provider.setUser({ sub: "42", email: "Ada@Example.com", ...claims })
    await alice.signIn(provider)
    expect(app.readRows("User")).toMatchObject([{ name, email: "ada@example.com", image: null }])
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "42" }])
  })

  test("can have a picture", async () => {
    const { provider, alice } = await createSetup()
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({
      user: { image: "https://idp.example/ada.png" },
    })
  })
})

describe("an incomplete tenant provider", () => {
  const complete = { issuer: "https://tenant.example", clientId: "us", clientSecret: "secret" }
  const lacking: [string, object, RegExp][] = [
    [
      "no issuer",
      { issuer: undefined },
      /InvalidEndpoints.*`providers.tenantidp.issuer` to be an https URL/,
    ],
    [
      "no client id",
      { clientId: undefined },
      /MissingClientId.*`providers.tenantidp.clientId` to be the id/,
    ],
    ["an issuer by http", { issuer: "http://tenant.example" }, /InvalidEndpoints.*https URL/],
    ["an issuer that is not a URL", { issuer: "tenant.example" }, /InvalidEndpoints.*https URL/],
  ]
  test.each(lacking)("is an error of the configuration: %s", async (_, changes, reported) => {
    const app = await createOAuthApp(tenantidp({ ...complete, ...changes }))
    const alice = createTestBrowser(app.app)
    expect(await (await alice.open("/auth/providers")).json()).toEqual({})
    const response = await alice.signIn("tenantidp")
    expect([response.status, getRedirectError(response)]).toEqual([302, "Configuration"])
    expect(app.readLog()).toMatch(reported)
    expect(app.readLog()).not.toContain("undefined/")
  })
})
