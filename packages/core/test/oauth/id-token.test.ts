import type { OIDCConfig } from "@latchkey/core/providers"
import {
  createScriptedProvider,
  createTestBrowser,
  type HostileIdToken,
  hostileIdTokens,
  type IdTokenModifier,
  type UnusualIdToken,
  unusualIdTokens,
} from "@latchkey/testing"
import { clockTolerance } from "oauth4webapi"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectNoSecretsLogged, expectSignInRefused } from "../support/oauth-app.ts"

describe("an ID token", () => {
  for (const fault of Object.keys(hostileIdTokens) as HostileIdToken[]) {
    test(`is refused: ${fault}`, async () => {
      const provider = await createScriptedProvider()
      // `profile` ignores the token, so only the token can be the reason for the refusal.
      const app = await createOAuthApp(provider.asOidc({ profile: () => ({ id: "ada" }) }))
      const alice = createTestBrowser(app.app)
      provider.injectFaults({ idToken: fault })
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
      expect(provider.tokenRequests).toHaveLength(1)
      // No URL in a token is fetched.
      const elsewhere = provider.requests.filter(({ endpoint }) => endpoint === "elsewhere")
      expect(elsewhere).toEqual([])
    })
  }

  for (const oddity of Object.keys(unusualIdTokens) as UnusualIdToken[]) {
    test(`is accepted: ${oddity}`, async () => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc())
      const alice = createTestBrowser(app.app)
      provider.injectFaults({ idToken: oddity })
      const response = await alice.signIn(provider)
      expect(response.headers.get("location")).toBe("https://app.example")
      expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
      expectNoSecretsLogged(app, provider)
    })
  }

  test.each(["iss", "aud", "sub", "exp", "iat"])("is refused with %s: null", async (name) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims }) => {
        claims[name] = null
      },
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  test("is refused without the nonce that was requested", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ checks: ["nonce"] as const }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims }) => {
        delete claims.nonce
      },
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toContain("Expected the `nonce` of the sign-in in the ID token.")
    expect(app.readLog()).toMatch(/Received: none\. .*`checks: \["pkce"\]`/)
  })

  test("is refused with a nonce that was not requested, and the log names `checks`", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims }) => {
        claims["nonce"] = "a-nonce-of-its-own"
      },
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toMatch(/nonce.*`checks: \["pkce", "nonce"\]`/)
    expect(app.readLog()).not.toContain("a-nonce-of-its-own")
  })

  test("is refused with another nonce than the requested one", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ checks: ["nonce"] as const }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ idToken: "nonce-other" })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toMatch(/Received: another one\. .*sign in again/i)
  })

  test.each(["", 0, false, ["x"]])("is refused with at_hash: %j", async (hash) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims }) => {
        claims.at_hash = hash
      },
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  describe.each([
    ["behind", 45],
    ["ahead", -45 - 3600], // the test provider issues tokens that last an hour
  ])("if the clock of the server is %s", (direction, seconds) => {
    const signIn = async (changes: { clockTolerance?: number; client?: object } = {}) => {
      const provider = await createScriptedProvider()
      const definition: OIDCConfig = provider.asOidc()
      const app = await createOAuthApp({
        ...definition,
        ...changes,
        client: { ...definition.client, ...changes.client },
      })
      const alice = createTestBrowser(app.app)
      provider.injectFaults({
        idToken: ({ claims, now }) =>
          void Object.assign(claims, { iat: now + seconds, exp: now + seconds + 3600 }),
      })
      const response = await alice.signIn(provider)
      return { ...app, response, session: await alice.getSession() }
    }

    test("is refused, with the difference", async () => {
      const { response, session, readLog } = await signIn()
      expect(session).toBeNull()
      expect(response.headers.get("location")).toContain("error=Configuration")
      const size = seconds > 0 ? "4[45]" : "364[456]"
      expect(readLog()).toMatch(
        new RegExp(`within 30 s of that of the provider.*Received: ${size} s ${direction}.*NTP`),
      )
    })

    test.each([{ clockTolerance: 60 }, { client: { [clockTolerance]: 60 } }])(
      "is accepted with a tolerance: %o",
      async (definition) => {
        expect((await signIn(definition)).session).not.toBeNull()
      },
    )
  })

  test.each(["azp", "at_hash", "auth_time", "nbf"])(
    "is accepted if %s is null, which counts as missing",
    async (name) => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc())
      const alice = createTestBrowser(app.app)
      provider.injectFaults({
        idToken: ({ claims }) => void Object.assign(claims, { [name]: null }),
      })
      await alice.signIn(provider)
      expect(await alice.getSession()).not.toBeNull()
      // The token is stored as the provider signed it.
      const [, payload = ""] = String(app.readRows("Account")[0]?.["id_token"]).split(".")
      expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toHaveProperty(name, null)
    },
  )

  test.each([
    ["without a requested one", ["pkce"], true],
    ["with a requested one", ["nonce"], false],
  ] as const)("with a nonce of null, %s", async (_, checks, isAccepted) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ checks }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ idToken: ({ claims }) => void Object.assign(claims, { nonce: null }) })
    await alice.signIn(provider)
    expect((await alice.getSession()) !== null).toBe(isAccepted)
  })

  test("is ignored if the provider does not use OpenID Connect", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(
      provider.asOAuth({ authorization: createAuthorizationOptions(provider) }),
    )
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      idToken: ({ claims }) => {
        claims.sub = "victim"
        claims.email = "victim@example.com"
      },
    })
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "ada", type: "oauth" }])
  })
})

test("an ID token of a provider without OpenID Connect is passed on unchanged", async () => {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(
    provider.asOAuth({ authorization: createAuthorizationOptions(provider) }),
  )
  provider.injectFaults({ idToken: "garbage" })
  const response = await createTestBrowser(app.app).signIn(provider)
  expect(response.headers.get("location")).toBe("https://app.example")
  expect(app.readRows("Account")).toMatchObject([{ id_token: "this.is.not-a-token" }])
})

function createAuthorizationOptions({ endpoints }: { endpoints: { authorize: string } }) {
  return { url: endpoints.authorize, params: { scope: "openid profile email" } }
}

describe("the algorithm of an ID token", () => {
  const secret = "a-client-secret-of-thirty-2-byte"
  /** Renames the algorithm, as if the verifier chose the key by it. */
  const renameTo =
    (alg: string): IdTokenModifier =>
    async (parts) => {
      await hostileIdTokens["hmac-client-secret"](parts)
      parts.header.alg = alg
    }

  test.each(["RS256", "PS256", "ES256"] as const)("can be %s if it is announced", async (alg) => {
    const provider = await createScriptedProvider({ alg, issuer: `https://${alg}.example` })
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("is the configured one, whatever is announced", async () => {
    const provider = await createScriptedProvider()
    const client = { id_token_signed_response_alg: "ES256" }
    const app = await createOAuthApp(provider.asOidc({ client }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  const unusable: [string, IdTokenModifier | HostileIdToken, string | undefined, string][] = [
    ["none, if it is configured", "alg-none", "none", secret],
    ["none, if only the metadata says so", "alg-none", undefined, secret],
    ["HS256, if only the metadata says so", "hmac-client-secret", undefined, secret],
    ["HS256, if another one is configured", "hmac-client-secret", "RS256", secret],
    ["HS384, even if it is configured", renameTo("HS384"), "HS384", secret],
    ["HS512, if HS256 is configured", renameTo("HS512"), "HS256", secret],
    ["RS256 with the provider's key, if HS256 is configured", () => undefined, "HS256", secret],
    ["HS256 with the public key (PEM)", "hmac-public-pem", "HS256", secret],
    ["HS256 with the public key (JWK)", "hmac-public-jwk", "HS256", secret],
    ["none, if HS256 is configured", "alg-none", "HS256", secret],
    ["HS256 with a secret that can be guessed", "hmac-client-secret", "HS256", "s".repeat(31)],
  ]
  test.each(unusable)("is never %s", async (_, idToken, configured, clientSecret) => {
    const provider = await createScriptedProvider({ clientSecret })
    const client = configured ? { id_token_signed_response_alg: configured } : {}
    const app = await createOAuthApp(provider.asOidc({ client }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      discovery: (honest) => ({
        ...honest,
        id_token_signing_alg_values_supported: ["none", "HS256", "HS384", "HS512", "RS256"],
      }),
      idToken,
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("is HS256 if it is configured, with the client secret as the key", async () => {
    const provider = await createScriptedProvider({ clientSecret: secret })
    const client = { id_token_signed_response_alg: "HS256" }
    const app = await createOAuthApp(provider.asOidc({ client }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ idToken: "hmac-client-secret" })
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(provider.requests.map(({ endpoint }) => endpoint)).not.toContain("jwks")
    expectNoSecretsLogged(app, provider)
  })

  test("is never HS256 without a client secret", async () => {
    const provider = await createScriptedProvider({ authMethods: ["none"] })
    const client = { id_token_signed_response_alg: "HS256", token_endpoint_auth_method: "none" }
    const app = await createOAuthApp(provider.asOidc({ client, clientSecret: undefined }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      async idToken(parts) {
        parts.header.alg = "HS256"
        parts.sign = async () => new Uint8Array(32)
      },
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("is RS256 if nothing is announced", async () => {
    const provider = await createScriptedProvider({ alg: "ES256", issuer: "https://es.example" })
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({
      discovery: (honest) => ({ ...honest, id_token_signing_alg_values_supported: undefined }),
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })
})
