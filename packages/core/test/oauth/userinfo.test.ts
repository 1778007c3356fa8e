import {
  createScriptedProvider,
  createTestBrowser,
  type HostileUserinfoResponse,
  hostileUserinfoResponses,
  type IdTokenParts,
} from "@latchkey/testing"
import { SignJWT } from "jose"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectNoSecretsLogged, expectSignInRefused } from "../support/oauth-app.ts"

const home = "https://app.example"
const faults = Object.keys(hostileUserinfoResponses) as HostileUserinfoResponse[]

describe("userinfo of an OpenID Connect provider", () => {
  for (const fault of faults) {
    test(`is refused: ${fault}`, async () => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc({ idToken: false }))
      const alice = createTestBrowser(app.app)
      provider.injectFaults({ userinfo: fault })
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
      expect(provider.userinfoRequests).toHaveLength(1)
    })
  }

  test("is requested with the access token in a header, and accepted if it has the same `sub`", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ idToken: false }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ userinfo: (honest) => ({ ...honest, name: "Ada, by userinfo" }) })
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada, by userinfo" } })
    const [request] = provider.userinfoRequests
    expect(request?.headers.get("authorization")).toMatch(/^Bearer access-/)
    expect(request?.url.search).toBe("")
  })
})

describe("userinfo of an OAuth provider", () => {
  // Without an ID token, there is no `sub` to compare.
  for (const fault of faults.filter((name) => name !== "sub-other")) {
    test(`is refused: ${fault}`, async () => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOAuth())
      const alice = createTestBrowser(app.app)
      provider.injectFaults({ userinfo: fault })
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    })

    test(`is refused by the social dialect: ${fault}`, async () => {
      const provider = await createScriptedProvider({ dialect: "social" })
      const app = await createOAuthApp(provider.asOAuth())
      const alice = createTestBrowser(app.app)
      provider.injectFaults({ userinfo: fault })
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    })
  }

  const unstable: [string, unknown][] = [
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["a number with too many digits", 2 ** 53],
    ['the string "undefined"', "undefined"],
    ['the string "[object Object]"', "[object Object]"],
    ["a boolean", true],
    ["too long", "x".repeat(256)],
  ]
  test.each(unstable)("is refused if `profile` returns an id that is %s", async (_, id) => {
    const provider = await createScriptedProvider()
    const profile = () => ({ id: id as string, email: "ada@example.com" })
    const app = await createOAuthApp(provider.asOAuth({ profile }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  test("is refused if `profile` throws, and the log names the provider", async () => {
    const provider = await createScriptedProvider()
    const profile = (): never => {
      throw new Error("no such claim")
    }
    const app = await createOAuthApp(provider.asOAuth({ profile }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toMatch(/OAuthProfileParseError.*scripted.*no such claim/)
  })
})

describe("userinfo that looks valid", () => {
  test.each(["oauth", "oidc"])("is refused with an error (%s)", async (type) => {
    const provider = await createScriptedProvider()
    const oidc = provider.asOidc({ idToken: false })
    const app = await createOAuthApp(type === "oauth" ? provider.asOAuth() : oidc)
    const alice = createTestBrowser(app.app)
    provider.overrideEndpoint("userinfo", async (_, honest) => {
      return new Response((await honest()).body, { status: 403 })
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toContain("Received: status 403.")
  })

  test("is refused if it is an array, even if `profile` accepts it", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOAuth({ profile: () => ({ id: "ada" }) }))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ userinfo: "array" })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })
})

describe("signed userinfo", () => {
  type Forge = (parts: IdTokenParts) => { claims?: object; foreign?: boolean; status?: number }

  /** Signs in with a userinfo response that is a JWT, by default signed with the key of the ID token. */
  async function signedIn(forge: Forge) {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ idToken: false }))
    const alice = createTestBrowser(app.app)
    const known: { parts?: IdTokenParts } = {}
    provider.injectFaults({
      idToken: (parts) => {
        known.parts = parts
      },
    })
    provider.overrideEndpoint("userinfo", async () => {
      const parts = known.parts!
      const { claims, foreign, status = 200 } = forge(parts)
      const { kid } = parts.key
      const { privateKey } = foreign ? parts.unrelatedKey : parts.key
      const said = { sub: "ada", email: "ada@example.com", name: "Ada, signed" }
      const jwt = await new SignJWT({
        iss: provider.issuer,
        aud: parts.clientId,
        ...said,
        ...claims,
      })
        .setProtectedHeader({ alg: "RS256", kid })
        .sign(privateKey)
      return new Response(jwt, { status, headers: { "content-type": "application/jwt" } })
    })
    return { provider, app, alice, response: await alice.signIn(provider) }
  }

  test("is accepted if the provider's key signed it", async () => {
    const { response, alice, app, provider } = await signedIn(() => ({}))
    expect(response.headers.get("location")).toBe(home)
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada, signed" } })
    expectNoSecretsLogged(app, provider)
  })

  const forgeries: Record<string, Forge> = {
    "another sub": () => ({ claims: { sub: "victim" } }),
    "another issuer": () => ({ claims: { iss: "https://other.example" } }),
    "another audience": () => ({ claims: { aud: "another-client" } }),
    "a foreign key": () => ({ foreign: true }),
    "an additional error": () => ({ status: 403 }),
    "an expiry in the past": ({ now }) => ({ claims: { exp: now - 120 } }),
  }
  test.each(Object.keys(forgeries))("is refused with %s", async (name) => {
    const { response, alice, app, provider } = await signedIn(forgeries[name]!)
    await expectSignInRefused(response, alice, app, provider)
  })
})
