import { createAuth } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"
import { propertyRuns } from "../support/property-runs.ts"

/** Parameters of the protocol: they decide which client asks, where the response goes and what is checked. */
const protectedParams = [
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "client_secret",
  "code_challenge",
  "code_challenge_method",
  "code_verifier",
  "nonce",
  "redirect_uri",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "state",
]

async function createSetup(changes: object = {}) {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(changes))
  return { provider, app, alice: createTestBrowser(app.app) }
}

describe("the query of a sign-in request", () => {
  const harmless = {
    scope: "openid email",
    prompt: "login",
    login_hint: "ada@example.com",
    max_age: "60",
    ui_locales: "de fr",
    acr_values: "urn:mfa",
    display: "popup",
    claims: '{"id_token":{"acr":null}}',
    resource: "https://api.example",
    tenantId: "t1",
  }

  test.each(Object.entries(harmless))("is passed on: %s", async (name, value) => {
    const { provider, alice } = await createSetup()
    const authorizationUrl = await alice.startSignIn(provider, {}, { [name]: value })
    expect(authorizationUrl.searchParams.getAll(name)).toEqual([value])
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test.each(protectedParams)("cannot change a protocol parameter: %s", async (name) => {
    const { provider, alice, app } = await createSetup({ checks: ["pkce", "nonce"] })
    const honest = await alice.startSignIn(provider)
    const authorizationUrl = await alice.startSignIn(
      provider,
      {},
      { [name]: "https://evil.example/mine" },
    )
    expect(authorizationUrl.href).not.toContain("evil.example")
    expect([...authorizationUrl.searchParams.keys()].sort()).toEqual(
      [...honest.searchParams.keys()].sort(),
    )
    expect(app.readLog()).toMatch(new RegExp(`authorization-parameter-dropped.*'${name}'`))
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test("is left out if its parameters are unknown", async () => {
    const { provider, alice } = await createSetup()
    const authorizationUrl = await alice.startSignIn(
      provider,
      {},
      { unheard_of: "1", Redirect_Uri: "x" },
    )
    expect(authorizationUrl.searchParams.has("unheard_of")).toBe(false)
    expect(authorizationUrl.searchParams.has("Redirect_Uri")).toBe(false)
  })

  const configurable = ["prompt", "scope", "hd", "acr_values", "login_hint", "realm"]
  test.each(configurable)("cannot override what the provider configures: %s", async (name) => {
    const { provider, alice, app } = await createSetup({
      authorization: { params: { [name]: "configured" } },
    })
    const sent = { [name]: "sent" }
    const authorizationUrl = await alice.startSignIn(provider, sent, sent)
    expect(authorizationUrl.searchParams.getAll(name)).toEqual(["configured"])
    expect(app.readLog()).toMatch(new RegExp(`authorization-parameter-dropped.*'${name}'`))
  })

  test("cannot override what the URL of the endpoint contains", async () => {
    const { provider, alice } = await createSetup()
    const url = `${provider.endpoints.authorize}?prompt=login`
    const own = createTestBrowser(
      (await createOAuthApp(provider.asOidc({ authorization: url }))).app,
    )
    for (const browser of [own, alice]) {
      const { searchParams } = await browser.startSignIn(provider, {}, { prompt: "none" })
      expect(searchParams.getAll("prompt")).toEqual([browser === own ? "login" : "none"])
    }
  })

  test("can override the parameters that the provider lists", async () => {
    const { provider, alice } = await createSetup({
      authorization: { params: { realm: "a", prompt: "login", hd: "example.com" } },
      overridableParams: ["realm", "prompt", "theme"],
    })
    const sent = { realm: "b", prompt: "none", theme: "dark", hd: "evil.example" }
    const { searchParams } = await alice.startSignIn(provider, {}, sent)
    expect(Object.fromEntries(searchParams)).toMatchObject({ ...sent, hd: "example.com" })
  })

  test.each(protectedParams)("cannot override %s even if the provider lists it", async (name) => {
    const { provider, alice } = await createSetup({
      checks: ["pkce", "nonce"],
      overridableParams: protectedParams,
    })
    const authorizationUrl = await alice.startSignIn(
      provider,
      {},
      { [name]: "https://evil.example" },
    )
    expect(authorizationUrl.href).not.toContain("evil.example")
  })

  test("cannot override a protocol parameter that the configuration sets", async () => {
    const { provider, alice } = await createSetup({
      authorization: { params: { response_mode: "form_post" } },
    })
    const authorizationUrl = await alice.startSignIn(provider, {}, { response_mode: "query" })
    expect(authorizationUrl.searchParams.getAll("response_mode")).toEqual(["form_post"])
  })

  test("never changes the protocol parameters, whatever it contains", async () => {
    const { provider, alice } = await createSetup({ checks: ["pkce", "nonce"] })
    const expected = (await alice.startSignIn(provider)).searchParams
    const fixed = ["client_id", "redirect_uri", "response_type", "code_challenge_method"]
    const fresh = ["state", "nonce", "code_challenge"]
    const name = fc.oneof(
      fc.constantFrom(...protectedParams, "scope", "prompt", "__proto__"),
      fc.string(),
    )
    const query = fc.array(fc.tuple(name, fc.string({ maxLength: 40 })), { maxLength: 12 })
    const csrfToken = await alice.getCsrfToken()
    await fc.assert(
      fc.asyncProperty(query, async (entries) => {
        const search = new URLSearchParams(entries)
        const response = await alice.post(`/auth/signin/scripted?${search}`, { csrfToken })
        const asked = new URL(response.headers.get("location") ?? "")
        expect(asked.origin + asked.pathname).toBe(provider.endpoints.authorize)
        const params = asked.searchParams
        for (const key of fixed) expect(params.getAll(key)).toEqual(expected.getAll(key))
        for (const key of fresh) {
          expect(params.getAll(key)).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
          expect(search.getAll(key)).not.toContain(params.get(key))
        }
        const known = new Set([...fixed, ...fresh])
        const extra = protectedParams.filter((key) => !known.has(key) && params.has(key))
        expect(extra).toEqual([])
      }),
      { numRuns: propertyRuns(150) },
    )
  })
})

describe("parameters that application code passes", () => {
  async function begun(
    authorizationParams: string | URLSearchParams | Record<string, string>,
    changes: object = {},
  ): Promise<URLSearchParams> {
    const { provider, app } = await createSetup(changes)
    const auth = createAuth(app.config)
    const headers = new Headers()
    const url = "https://app.example/login"
    const result = await auth.signIn({ headers, url }, provider.id, {}, authorizationParams)
    return new URL(result.redirect).searchParams
  }

  test("are passed on, whatever their name", async () => {
    const shapes = [
      "unheard_of=1&prompt=login",
      new URLSearchParams({ unheard_of: "1", prompt: "login" }),
      { unheard_of: "1", prompt: "login" },
    ]
    for (const shape of shapes) {
      const params = await begun(shape)
      expect(params.get("unheard_of")).toBe("1")
      expect(params.get("prompt")).toBe("login")
    }
  })

  test("override what the provider configures", async () => {
    const params = await begun(
      { prompt: "none", scope: "openid" },
      { authorization: { params: { prompt: "login", scope: "openid email" } } },
    )
    expect(params.getAll("prompt")).toEqual(["none"])
    expect(params.getAll("scope")).toEqual(["openid"])
  })

  test("as `browserParams` are treated as the query of a sign-in request", async () => {
    const { provider, app } = await createSetup({
      authorization: { params: { prompt: "login", max_age: 60 } },
    })
    const { redirect } = await createAuth(app.config).signIn(
      { headers: new Headers(), url: "https://app.example/login?ui_locales=de" },
      provider.id,
      {
        browserParams: {
          prompt: "none",
          max_age: "9",
          login_hint: "ada",
          unheard_of: "1",
          hd: "x",
        },
      },
      { max_age: "30", hd: "y" },
    )
    const { searchParams } = new URL(redirect)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      prompt: "login",
      max_age: "30",
      login_hint: "ada",
      hd: "y",
    })
    expect(searchParams.has("unheard_of")).toBe(false)
    expect(searchParams.has("ui_locales")).toBe(false)
  })

  test("cannot change a protocol parameter either", async () => {
    const evil = Object.fromEntries(protectedParams.map((name) => [name, "https://evil.example/"]))
    const params = await begun(evil, { checks: ["pkce", "nonce"] })
    expect(params.toString()).not.toContain("evil.example")
    expect(params.get("redirect_uri")).toBe("https://app.example/auth/callback/scripted")
  })

  test("start a sign-in that the browser can complete", async () => {
    const { provider, app, alice } = await createSetup()
    const result = await createAuth(app.config).signIn(
      { headers: new Headers(), url: "https://app.example/login" },
      provider.id,
      { fields: { redirectTo: "/inbox" } },
      { login_hint: "ada" },
    )
    for (const { name, value } of result.cookies) {
      alice.cookies.setUnchecked(
        "https://app.example/",
        `${name}=${encodeURIComponent(value)}; Path=/`,
      )
    }
    const response = await alice.open(provider.approve(result.redirect))
    expect(response.headers.get("location")).toBe("https://app.example/inbox")
    expect(provider.authorizationRequests[0]?.get("login_hint")).toBe("ada")
  })
})
