import { createAuth } from "@latchkey/core"
import { browser, scriptedProvider } from "@latchkey/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { oauthApp } from "../support/oauth-app.ts"

/** Belong to the protocol: whoever sets one of them decides for whom, to where or under which checks. */
const guarded = [
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

async function setting(changes: object = {}) {
  const provider = await scriptedProvider()
  const at = await oauthApp(provider.asOidc(changes))
  return { provider, at, alice: browser(at.app) }
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

  test.each(Object.entries(harmless))("87 is passed on: %s", async (name, value) => {
    const { provider, alice } = await setting()
    const begun = await alice.begin(provider, {}, { [name]: value })
    expect(begun.searchParams.getAll(name)).toEqual([value])
    const answer = await alice.open(provider.approve(begun))
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test.each(guarded)("87 changes nothing of the protocol: %s", async (name) => {
    const { provider, alice, at } = await setting({ checks: ["pkce", "nonce"] })
    const honest = await alice.begin(provider)
    const begun = await alice.begin(provider, {}, { [name]: "https://evil.example/mine" })
    expect(begun.href).not.toContain("evil.example")
    expect([...begun.searchParams.keys()].sort()).toEqual([...honest.searchParams.keys()].sort())
    expect(at.log()).toMatch(new RegExp(`authorization-parameter-dropped.*'${name}'`))
    const answer = await alice.open(provider.approve(begun))
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test("87 is left out where nobody expects it", async () => {
    const { provider, alice } = await setting()
    const begun = await alice.begin(provider, {}, { unheard_of: "1", Redirect_Uri: "x" })
    expect(begun.searchParams.has("unheard_of")).toBe(false)
    expect(begun.searchParams.has("Redirect_Uri")).toBe(false)
  })

  test("87 may replace what the provider's own configuration names", async () => {
    const { provider, alice } = await setting({ authorization: { params: { realm: "a" } } })
    expect((await alice.begin(provider)).searchParams.get("realm")).toBe("a")
    const begun = await alice.begin(provider, {}, { realm: "b" })
    expect(begun.searchParams.getAll("realm")).toEqual(["b"])
  })

  test("87 may not replace a protocol parameter that the configuration names", async () => {
    const { provider, alice } = await setting({
      authorization: { params: { response_mode: "form_post" } },
    })
    const begun = await alice.begin(provider, {}, { response_mode: "query" })
    expect(begun.searchParams.getAll("response_mode")).toEqual(["form_post"])
  })

  test("87 property: whatever it holds, the protocol's parameters are the library's own", async () => {
    const { provider, alice } = await setting({ checks: ["pkce", "nonce"] })
    const expected = (await alice.begin(provider)).searchParams
    const fixed = ["client_id", "redirect_uri", "response_type", "code_challenge_method"]
    const fresh = ["state", "nonce", "code_challenge"]
    const name = fc.oneof(fc.constantFrom(...guarded, "scope", "prompt", "__proto__"), fc.string())
    const query = fc.array(fc.tuple(name, fc.string({ maxLength: 40 })), { maxLength: 12 })
    const csrfToken = await alice.csrf()
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
        const extra = guarded.filter((key) => !known.has(key) && params.has(key))
        expect(extra).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})

describe("parameters that application code gives", () => {
  async function begun(
    authorizationParams: string | URLSearchParams | Record<string, string>,
    changes: object = {},
  ): Promise<URLSearchParams> {
    const { provider, at } = await setting(changes)
    const auth = createAuth(at.config)
    const headers = new Headers()
    const url = "https://app.example/login"
    const result = await auth.signIn({ headers, url, provider: provider.id, authorizationParams })
    return new URL(result.redirect).searchParams
  }

  test("87 are passed on, whatever their name", async () => {
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

  test("87 change nothing of the protocol either", async () => {
    const evil = Object.fromEntries(guarded.map((name) => [name, "https://evil.example/"]))
    const params = await begun(evil, { checks: ["pkce", "nonce"] })
    expect(params.toString()).not.toContain("evil.example")
    expect(params.get("redirect_uri")).toBe("https://app.example/auth/callback/scripted")
  })

  test("87 begin a sign-in that the browser can finish", async () => {
    const { provider, at, alice } = await setting()
    const result = await createAuth(at.config).signIn({
      headers: new Headers(),
      url: "https://app.example/login",
      provider: provider.id,
      options: { redirectTo: "/inbox" },
      authorizationParams: { login_hint: "ada" },
    })
    for (const { name, value } of result.cookies) {
      alice.cookies.plant("https://app.example/", `${name}=${encodeURIComponent(value)}; Path=/`)
    }
    const answer = await alice.open(provider.approve(result.redirect))
    expect(answer.headers.get("location")).toBe("https://app.example/inbox")
    expect(provider.authorizationRequests[0]?.get("login_hint")).toBe("ada")
  })
})
