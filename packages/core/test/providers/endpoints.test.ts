import { allowInsecureRequests, customFetch } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { createScriptedProvider, createTestBrowser, type ScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"

/** Signs Ada in, and returns the requested endpoints and the authorization request. */
async function signInAda(provider: ScriptedProvider, written: Provider) {
  const app = await createOAuthApp(written)
  const alice = createTestBrowser(app.app)
  const authorizationUrl = await alice.startSignIn(provider)
  const response = await alice.open(provider.approve(authorizationUrl))
  expect(response.headers.get("location")).toBe("https://app.example")
  expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  const called = provider.requests.map(({ endpoint }) => endpoint)
  return { begun: authorizationUrl, called, provider, app }
}

describe("the endpoints of a provider come from", () => {
  test("the metadata of the issuer", async () => {
    const provider = await createScriptedProvider()
    const { called } = await signInAda(provider, provider.asOidc())
    expect(called).toEqual(["discovery", "token", "jwks"])
  })

  test("the metadata of the issuer, for type oauth as well", async () => {
    const provider = await createScriptedProvider()
    const { authorization: _a, token: _t, userinfo: _u, ...rest } = provider.asOAuth()
    const { called, begun: authorizationUrl } = await signInAda(provider, rest)
    expect(called).toEqual(["discovery", "token", "userinfo"])
    expect(authorizationUrl.searchParams.get("scope")).toBe("openid profile email")
  })

  test("the metadata at `wellKnown`", async () => {
    const provider = await createScriptedProvider()
    const wellKnown = `${provider.endpoints.discovery}?tenantId=t1`
    await signInAda(provider, provider.asOidc({ wellKnown }))
    expect(provider.discoveryRequests.map(({ url }) => url.href)).toEqual([wellKnown])
  })

  test("the configuration alone, without any metadata", async () => {
    const provider = await createScriptedProvider()
    const { authorize, token, jwks } = provider.endpoints
    const written = { authorization: authorize, token, jwks_endpoint: jwks }
    const { called } = await signInAda(provider, provider.asOidc(written))
    expect(called).toEqual(["token", "jwks"])
  })

  test("the configuration, for type oauth without an issuer", async () => {
    const provider = await createScriptedProvider({ dialect: "social" })
    const { called } = await signInAda(provider, provider.asOAuth())
    expect(called).toEqual(["token", "userinfo"])
  })

  test("the configuration, and from the metadata for the rest", async () => {
    const provider = await createScriptedProvider()
    const token = `${provider.issuer}/oauth2/token`
    const { called } = await signInAda(provider, provider.asOidc({ token }))
    expect(called).toEqual(["discovery", "token", "jwks"])
    expect(provider.tokenRequests[0]?.url.href).toBe(token)
  })

  test("the metadata for an object without `url`", async () => {
    const provider = await createScriptedProvider()
    const userinfo = provider.endpoints.userinfo
    const written = provider.asOidc({ token: { conform: () => undefined }, userinfo })
    const { called } = await signInAda(provider, written)
    expect(called).not.toContain("elsewhere")
    expect(provider.tokenRequests[0]?.url.href).toBe(provider.endpoints.token)
  })
})

describe("an endpoint can be configured", () => {
  test("as an object with `params` for the query", async () => {
    const provider = await createScriptedProvider()
    const { authorize, token, userinfo } = provider.endpoints
    const { begun: authorizationUrl } = await signInAda(
      provider,
      provider.asOAuth({
        authorization: {
          url: `${authorize}?audience=api&prompt=none`,
          params: {
            scope: "profile email",
            prompt: "login",
            max_age: 60,
            left_out: undefined,
            claims: { id_token: { email: null } },
          },
        },
        token: { url: token, params: { version: 2 } },
        userinfo: { url: userinfo, params: { fields: "id,email" } },
      }),
    )
    const received = Object.fromEntries(authorizationUrl.searchParams)
    expect(received).toMatchObject({
      audience: "api",
      prompt: "login",
      max_age: "60",
      scope: "profile email",
      claims: '{"id_token":{"email":null}}',
    })
    expect(authorizationUrl.searchParams.getAll("prompt")).toEqual(["login"])
    expect(received).not.toHaveProperty("left_out")
    expect(provider.tokenRequests[0]?.url.search).toBe("?version=2")
    expect(provider.userinfoRequests[0]?.url.search).toBe("?fields=id%2Cemail")
  })

  test("with a list of scopes, and with the fragment that WeChat requires", async () => {
    const provider = await createScriptedProvider()
    const url = `${provider.endpoints.authorize}#wechat_redirect`
    const params = { scope: ["email", "profile"], response_type: "code", response_mode: "query" }
    const authorization = { url, params }
    const { begun } = await signInAda(provider, provider.asOAuth({ authorization }))
    expect(begun.searchParams.get("scope")).toBe("email profile")
    expect(begun.searchParams.getAll("response_type")).toEqual(["code"])
    expect(begun.hash).toBe("#wechat_redirect")
  })

  test.each([
    ["redirect_uri", "https://app.example/callback"],
    ["client_id", "another"],
    ["state", "fixed"],
    ["nonce", "fixed"],
    ["code_challenge", "fixed"],
    ["code_challenge_method", "plain"],
    ["response_type", "id_token"],
    ["response_mode", "fragment"],
  ])("but not with a parameter of the library: %s=%s", async (name, value) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(
      provider.asOidc({ authorization: { params: { [name]: value } } }),
    )
    await createTestBrowser(app.app).open("/auth/signin")
    expect(app.readLog()).toContain(`authorization.params`)
    expect(app.readLog()).toContain(`Received: ${name}: `)
    expect(provider.requests).toEqual([])
  })

  test("as a string with a scope in its query", async () => {
    const provider = await createScriptedProvider()
    const authorization = `${provider.endpoints.authorize}?scope=email`
    const { begun: authorizationUrl } = await signInAda(
      provider,
      provider.asOAuth({ authorization }),
    )
    expect(authorizationUrl.searchParams.getAll("scope")).toEqual(["email"])
  })

  test("as a string in the definition and with params in the options, which keeps the URL", async () => {
    const provider = await createScriptedProvider()
    const definition = provider.asOAuth({ authorization: provider.endpoints.authorize })
    const options = {
      authorization: { params: { scope: "email" } },
      token: { conform: () => undefined },
      userinfo: { params: { v: 1 } },
    }
    const { begun: authorizationUrl } = await signInAda(provider, { ...definition, options })
    expect(authorizationUrl.searchParams.get("scope")).toBe("email")
    expect(provider.tokenRequests[0]?.url.href).toBe(provider.endpoints.token)
    expect(provider.userinfoRequests[0]?.url.search).toBe("?v=1")
  })

  test("as an object in the definition and as a string in the options, which replaces it", async () => {
    const provider = await createScriptedProvider()
    const definition = provider.asOAuth({ token: { url: "https://old.example/token" } })
    const { called } = await signInAda(provider, {
      ...definition,
      options: { token: provider.endpoints.token },
    })
    expect(called).toEqual(["token", "userinfo"])
  })

  test("relative to the issuer", async () => {
    const provider = await createScriptedProvider()
    await signInAda(provider, provider.asOidc({ token: "{issuer}/oauth2/token" }))
    expect(provider.tokenRequests[0]?.url.href).toBe("https://idp.example/oauth2/token")
  })
})

describe("endpoints are requested", () => {
  test("with `customFetch` only, which receives the parameters of `fetch`", async () => {
    const provider = await createScriptedProvider()
    const calls: [string, string | undefined][] = []
    const recording: typeof fetch = (input, init) => {
      calls.push([String(input), init?.method ?? "GET"])
      return provider.fetch(input, init)
    }
    const written = provider.asOidc({ [customFetch]: recording, idToken: false })
    await signInAda(provider, written)
    const { discovery, token, jwks, userinfo } = provider.endpoints
    expect(calls).toEqual([
      [discovery, "GET"],
      [token, "POST"],
      [jwks, "GET"],
      [userinfo, "GET"],
    ])
  })

  test("with the `customFetch` of the options rather than that of the definition", async () => {
    const provider = await createScriptedProvider()
    const refusing = () => Promise.reject(new TypeError("the wrong one"))
    const definition = provider.asOidc({ [customFetch]: refusing })
    await signInAda(provider, { ...definition, options: { [customFetch]: provider.fetch } })
  })

  test("never over plain http, which is an error of the configuration", async () => {
    const provider = await createScriptedProvider({ issuer: "http://idp.example" })
    const app = await createOAuthApp(provider.asOidc())
    expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
    expect(app.readLog()).toMatch(
      /InvalidEndpoints.*`providers.scripted.issuer` to be an https URL/,
    )
    expect(provider.requests).toEqual([])
  })

  test("over plain http with `allowInsecureRequests`", async () => {
    const provider = await createScriptedProvider({ issuer: "http://idp.example" })
    await signInAda(provider, provider.asOidc({ [allowInsecureRequests]: true }))
    const again = await createScriptedProvider({ issuer: "http://idp.example" })
    await signInAda(again, { ...again.asOidc(), options: { [allowInsecureRequests]: true } })
  })

  test("over plain http on a loopback address", async () => {
    await using provider = await createScriptedProvider()
    await provider.listen()
    const { called } = await signInAda(provider, provider.asOidc({ idToken: false }))
    expect(called).toEqual(["discovery", "token", "jwks", "userinfo"])
  })
})
