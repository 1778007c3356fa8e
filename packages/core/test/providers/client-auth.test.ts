import type { Provider } from "@latchkey/core/providers"
import {
  type ClientAuthMethod,
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
} from "@latchkey/testing"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const basicOnly: ClientAuthMethod[] = ["client_secret_basic"]

/** Signs Ada in with one authentication method, and returns the token request. */
async function captureTokenRequest(
  method: ClientAuthMethod,
  changes: object = { client: { token_endpoint_auth_method: method } },
  registration: { clientId?: string; clientSecret?: string } = {},
) {
  const provider = await createScriptedProvider({ authMethods: [method], ...registration })
  const token = { clientPrivateKey: provider.clientPrivateKey }
  const app = await createOAuthApp(provider.asOidc({ token, ...changes }))
  const response = await createTestBrowser(app.app).signIn(provider)
  expect(response.headers.get("location")).toBe("https://app.example")
  const [request] = provider.tokenRequests
  expect(request?.clientAuth).toBe(method)
  return { request: request!, provider }
}

describe("a client authenticates at the token endpoint", () => {
  const asDefault = {}
  const byName = { client: { token_endpoint_auth_method: "client_secret_basic" } }
  test.each([asDefault, byName])("with client_secret_basic, configured as %j", async (written) => {
    const { request, provider } = await captureTokenRequest("client_secret_basic", written)
    const expected = btoa(`${provider.clientId}:${provider.clientSecret}`)
    expect(request.headers.get("authorization")).toBe(`Basic ${expected}`)
    expect([...request.body.keys()].sort()).toEqual([
      "code",
      "code_verifier",
      "grant_type",
      "redirect_uri",
    ])
    expect(request.body.get("grant_type")).toBe("authorization_code")
    expect(request.headers.get("accept")).toBe("application/json")
    expect(request.headers.get("content-type")).toBe(
      "application/x-www-form-urlencoded;charset=UTF-8",
    )
  })

  test("with client_secret_basic, form-encoded except unreserved characters", async () => {
    const clientId = "an id/with:signs"
    const clientSecret = "pä ss+wörd&=%/:?#[]@!$'()*,;-_.~"
    const { request } = await captureTokenRequest(
      "client_secret_basic",
      {},
      { clientId, clientSecret },
    )
    const [, credentials = ""] = request.headers.get("authorization")?.split(" ") ?? []
    expect(atob(credentials)).toBe(
      "an+id%2Fwith%3Asigns:p%C3%A4+ss%2Bw%C3%B6rd%26%3D%25%2F%3A%3F%23%5B%5D%40!%24'()*%2C%3B-_.~",
    )
  })

  test("with client_secret_post", async () => {
    const { request, provider } = await captureTokenRequest("client_secret_post")
    expect(request.headers.has("authorization")).toBe(false)
    expect(request.body.get("client_id")).toBe(provider.clientId)
    expect(request.body.get("client_secret")).toBe(provider.clientSecret)
  })

  test("with client_secret_jwt", async () => {
    const { request, provider } = await captureTokenRequest("client_secret_jwt")
    const assertion = request.body.get("client_assertion") ?? ""
    expect(decodeProtectedHeader(assertion).alg).toBe("HS256")
    const { iss, sub, aud } = decodeJwt(assertion)
    expect([iss, sub]).toEqual([provider.clientId, provider.clientId])
    expect([aud].flat()).toContain(provider.issuer)
    expect(request.text).not.toContain(provider.clientSecret)
  })

  test("with private_key_jwt for the issuer and the token endpoint", async () => {
    const { request, provider } = await captureTokenRequest("private_key_jwt")
    const assertion = request.body.get("client_assertion") ?? ""
    const { iss, sub, aud, jti, exp = 0, iat = 0 } = decodeJwt(assertion)
    expect([iss, sub]).toEqual([provider.clientId, provider.clientId])
    expect(aud).toEqual([provider.issuer, provider.endpoints.token])
    expect(jti).toBeTypeOf("string")
    expect(exp - iat).toBeLessThanOrEqual(300)
    expect(decodeProtectedHeader(assertion)).not.toHaveProperty("kid")
  })

  test("with private_key_jwt and the id of its key", async () => {
    const provider = await createScriptedProvider({ authMethods: ["private_key_jwt"] })
    const clientPrivateKey = { key: provider.clientPrivateKey, kid: "our-key" }
    const client = { token_endpoint_auth_method: "private_key_jwt" as const }
    const app = await createOAuthApp(provider.asOidc({ client, token: { clientPrivateKey } }))
    await createTestBrowser(app.app).signIn(provider)
    const assertion = provider.tokenRequests[0]?.body.get("client_assertion") ?? ""
    expect(decodeProtectedHeader(assertion).kid).toBe("our-key")
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test("with its client id only for the method none", async () => {
    const client = { token_endpoint_auth_method: "none" }
    const { request, provider } = await captureTokenRequest("none", {
      client,
      clientSecret: undefined,
    })
    expect(request.headers.has("authorization")).toBe(false)
    expect(request.body.get("client_id")).toBe(provider.clientId)
    expect(request.body.has("client_secret")).toBe(false)
  })

  test("with assertions for the token endpoint if the provider has no issuer", async () => {
    for (const method of ["client_secret_jwt", "private_key_jwt"] as const) {
      const provider = await createScriptedProvider({ dialect: "social", authMethods: [method] })
      const token = { url: provider.endpoints.token, clientPrivateKey: provider.clientPrivateKey }
      const client = { token_endpoint_auth_method: method }
      const app = await createOAuthApp(provider.asOAuth({ client, token }))
      await createTestBrowser(app.app).signIn(provider)
      const assertion = provider.tokenRequests[0]?.body.get("client_assertion") ?? ""
      expect([decodeJwt(assertion).aud].flat()).toEqual([provider.endpoints.token])
      expect(app.readRows("Account")).toHaveLength(1)
    }
  })
})

describe("without a configured method, a client authenticates", () => {
  type Row = [announced: unknown, method: ClientAuthMethod, changes?: object]
  test.each<Row>([
    [["client_secret_post"], "client_secret_post"],
    [["client_secret_post", "client_secret_basic"], "client_secret_basic"],
    [["tls_client_auth", "client_secret_jwt", "client_secret_post"], "client_secret_post"],
    [["private_key_jwt", "client_secret_jwt"], "client_secret_jwt"],
    [["none"], "none", { clientSecret: undefined }],
    [[null, "client_secret_post"], "client_secret_post"],
    // OpenID Connect Discovery 1.0 section 3
    [[], "client_secret_basic"],
    [undefined, "client_secret_basic"],
    [null, "client_secret_basic"],
    ["client_secret_post", "client_secret_basic"],
  ])("as the metadata announces: %j means %s", async (announced, method, changes = {}) => {
    const provider = await createScriptedProvider({ authMethods: [method] })
    provider.injectFaults({
      discovery: (honest) => ({ ...honest, token_endpoint_auth_methods_supported: announced }),
    })
    const app = await createOAuthApp(provider.asOidc(changes) as Provider)
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location"), app.readLog()).toBe("https://app.example")
    expect(provider.tokenRequests).toMatchObject([{ clientAuth: method }])
  })

  test("with its key, if it has one and the provider accepts it", async () => {
    const provider = await createScriptedProvider()
    const token = { clientPrivateKey: provider.clientPrivateKey }
    const app = await createOAuthApp(provider.asOidc({ token, clientSecret: undefined }))
    await createTestBrowser(app.app).signIn(provider)
    expect(provider.tokenRequests).toMatchObject([{ clientAuth: "private_key_jwt" }])
  })

  test.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"] as const)(
    "with the result of `token.clientSecret`, too: %s",
    async (method) => {
      const provider = await createScriptedProvider({ authMethods: [method] })
      const token = { clientSecret: async () => provider.clientSecret }
      const app = await createOAuthApp(provider.asOidc({ token, clientSecret: undefined }))
      await createTestBrowser(app.app).signIn(provider)
      expect(provider.tokenRequests).toMatchObject([{ clientAuth: method }])
      expect(app.readRows("Account"), app.readLog()).toHaveLength(1)
    },
  )

  test.each<[string[], string]>([
    [["private_key_jwt", "tls_client_auth"], "token.clientPrivateKey"],
    [["tls_client_auth"], "client.token_endpoint_auth_method"],
  ])("never by %j, and the log says what to set", async (announced, option) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({
      discovery: (honest) => ({ ...honest, token_endpoint_auth_methods_supported: announced }),
    })
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
    expect(app.readLog()).toContain(`\`${option}\``)
  })
})

describe("a client that the provider refuses because of its method", () => {
  test.each<[string, (provider: ScriptedProvider) => Provider, string]>([
    [
      "that the application chose",
      (provider) =>
        provider.asOidc({ client: { token_endpoint_auth_method: "client_secret_basic" } }),
      "the request used client_secret_basic, and the provider announces client_secret_post",
    ],
    [
      "that nobody chose, for lack of metadata",
      (provider) => provider.asOAuth(),
      "the request used client_secret_basic.",
    ],
  ])("learns which option decides: one %s", async (_, createProvider, text) => {
    const provider = await createScriptedProvider({ authMethods: ["client_secret_post"] })
    const app = await createOAuthApp(createProvider(provider))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toContain(`\`client.token_endpoint_auth_method\`: ${text}`)
  })
})

describe("a client that cannot authenticate", () => {
  const methods = ["client_secret_basic", "client_secret_post", "client_secret_jwt"] as const
  const unable: [string, object][] = [
    ...methods.map((method): [string, object] => [
      `${method} without a secret`,
      { clientSecret: undefined, client: { token_endpoint_auth_method: method } },
    ]),
    [
      "private_key_jwt without a key",
      { client: { token_endpoint_auth_method: "private_key_jwt" } },
    ],
    ["an unknown method", { client: { token_endpoint_auth_method: "tls_client_auth" } }],
  ]
  test.each(unable)("sends no token request: %s", async (_, changes) => {
    const provider = await createScriptedProvider({ authMethods: basicOnly })
    // JavaScript applications can pass values that the types do not allow.
    const app = await createOAuthApp(provider.asOidc(changes) as Provider)
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
    expect(app.readLog()).toContain("InvalidProvider")
  })

  test("is refused by the provider, as the log shows", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ clientSecret: "not the right one" }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).not.toContain("not the right one")
  })
})
