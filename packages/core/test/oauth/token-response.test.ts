import type { Provider } from "@latchkey/core/providers"
import type { Account } from "@latchkey/core/types"
import {
  createScriptedProvider,
  createTestBrowser,
  type HostileTokenResponse,
  hostileTokenResponses,
  type JsonResponseModifier,
  type ScriptedProvider,
  type TestBrowser,
  type UnusualTokenResponse,
  unusualTokenResponses,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const home = "https://app.example"

/** The response of Azure AD B2C to a client that asked for no scope of an API. */
const dropAccessToken: JsonResponseModifier = ({ access_token: _, ...honest }) => ({
  ...honest,
  id_token_expires_in: 3600,
  not_before: 1_600_000_000,
})
const faults = Object.keys(hostileTokenResponses) as HostileTokenResponse[]
const withoutAccessToken = Object.keys(unusualTokenResponses) as UnusualTokenResponse[]

for (const kind of ["asOidc", "asOAuth"] as const) {
  describe(`a token response (${kind})`, () => {
    // Without an ID token, the claims come from userinfo, which needs the access token.
    for (const fault of kind === "asOidc" ? faults : [...faults, ...withoutAccessToken]) {
      test(`is refused: ${fault}`, async () => {
        const provider = await createScriptedProvider()
        const app = await createOAuthApp(provider[kind]())
        const alice = createTestBrowser(app.app)
        provider.injectFaults({ token: fault })
        await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
        expect(provider.tokenRequests).toHaveLength(1)
        expect(provider.userinfoRequests).toEqual([])
        expect(app.readLog()).toMatch(/(?:CallbackRouteError|OAuthCallbackError).*'scripted'/)
      })
    }
  })
}

test("a token response with both an error and tokens is an error", async () => {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc())
  const alice = createTestBrowser(app.app)
  provider.injectFaults({ token: (honest) => ({ ...honest, error: "invalid_grant" }) })
  await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
})

test("the text of a token error is logged, and the sign-in can be tried again", async () => {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc())
  const alice = createTestBrowser(app.app)
  provider.injectFaults({ token: "status-400" })
  const response = await alice.signIn(provider)
  expect(response.headers.get("location")).not.toContain("No such code")
  expect(app.readLog()).toContain("No such code.")
  provider.clearFaults()
  expect((await alice.signIn(provider)).headers.get("location")).toBe(home)
})

/** The account that the `jwt` callback receives for a modified token response. */
async function signInWithTokenResponse(
  change: (provider: ScriptedProvider) => void,
): Promise<Account> {
  const provider = await createScriptedProvider()
  const accounts: Account[] = []
  const app = await createOAuthApp(provider.asOidc(), {
    session: { strategy: "jwt" },
    callbacks: {
      jwt({ token, account }) {
        if (account) accounts.push(account)
        return token
      },
    },
  })
  const alice: TestBrowser = createTestBrowser(app.app)
  change(provider)
  const response = await alice.signIn(provider)
  expect(response.headers.get("location")).toBe(home)
  const [storedRow] = app.readRows("Account")
  expect(storedRow?.["expires_at"] ?? undefined).toBe(accounts[0]?.expires_at)
  return accounts[0]!
}

/** A token response with the given text as `expires_in`: JSON allows numbers that JavaScript cannot represent. */
function respondWithLifetime(text: string) {
  return (provider: ScriptedProvider) =>
    provider.injectFaults({
      token: (honest) => {
        const json = JSON.stringify({ ...honest, expires_in: "?" }).replace('"?"', text)
        return new Response(json, { headers: { "content-type": "application/json" } })
      },
    })
}

describe("the lifetime in a token response", () => {
  const senseless = [
    "-1",
    "0",
    "1e11",
    "1e400",
    "-1e400",
    '"soon"',
    '""',
    '" "',
    "{}",
    "[60]",
    "true",
    "null",
  ]
  test.each(senseless)("is ignored if it is %s", async (text) => {
    const account = await signInWithTokenResponse(respondWithLifetime(text))
    expect(account).not.toHaveProperty("expires_at")
    expect(account).not.toHaveProperty("expires_in")
  })

  test.each(["3600", '"3600"', "3600.9", "3.6e3"])("is accepted if it is %s", async (text) => {
    const before = Math.floor(Date.now() / 1000)
    const { expires_at } = await signInWithTokenResponse(respondWithLifetime(text))
    expect(Number.isInteger(expires_at)).toBe(true)
    expect(expires_at).toBeGreaterThanOrEqual(before + 3600)
    expect(expires_at).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 3601)
  })

  const missing = (expires_at: unknown) => (provider: ScriptedProvider) =>
    provider.injectFaults({ expiresIn: undefined, token: (honest) => ({ ...honest, expires_at }) })

  test("can be replaced by `expires_at`", async () => {
    expect(await signInWithTokenResponse(missing(undefined))).not.toHaveProperty("expires_at")
    expect(await signInWithTokenResponse(missing(2_000_000_000))).toMatchObject({
      expires_at: 2_000_000_000,
    })
  })

  test.each(["2000000000", -1, 1.5, null, {}])(
    "is unknown if `expires_at` is %j",
    async (expires_at) => {
      expect(await signInWithTokenResponse(missing(expires_at))).not.toHaveProperty("expires_at")
    },
  )
})

describe("a member without a value", () => {
  test.each([
    ["null", { refresh_token: null, scope: null, error: null, error_description: null }],
    ["empty", { refresh_token: "", scope: "", error: "", id_token_hint: "" }],
    ["false", { error: false }],
    ["0", { error: 0 }],
  ])("counts as missing: %s", async (_, members) => {
    const account = await signInWithTokenResponse((provider) =>
      provider.injectFaults({ token: (honest) => ({ ...honest, ...members }) }),
    )
    for (const name of Object.keys(members)) expect(account).not.toHaveProperty(name)
    expect(account.access_token).toEqual(expect.any(String))
  })

  test.each([undefined, null, ""])(
    "means a bearer token if it is the token type: %j",
    async (token_type) => {
      const account = await signInWithTokenResponse((provider) =>
        provider.injectFaults({ token: (honest) => ({ ...honest, token_type }) }),
      )
      expect(account.token_type).toBe("bearer")
    },
  )
})

describe("a token response without an access token", () => {
  test.each([
    ...withoutAccessToken.map((name) => [name, name] as const),
    ["as of Azure AD B2C", dropAccessToken] as const,
  ])("is accepted if the claims come from the ID token: %s", async (_, token) => {
    const account = await signInWithTokenResponse((provider) =>
      provider.injectFaults({ token, tokenType: undefined }),
    )
    for (const name of ["access_token", "expires_in", "expires_at"])
      expect(account).not.toHaveProperty(name)
    expect(account).toMatchObject({ id_token: expect.any(String), provider: "scripted" })
  })

  test.each<[string, (provider: ScriptedProvider) => Provider]>([
    ["userinfo of OpenID Connect", (provider) => provider.asOidc({ idToken: false })],
    ["a provider without ID tokens", (provider) => provider.asOAuth()],
    ["`userinfo.request`", (provider) => provider.asOAuth({ userinfo: { request: () => ({}) } })],
  ])("is refused for %s, and the log names the scope", async (_, createProvider) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(createProvider(provider))
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ token: dropAccessToken })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.userinfoRequests).toEqual([])
    expect(app.readLog()).toMatch(/access token.*`authorization\.params\.scope`/)
  })

  test.each<[string, JsonResponseModifier]>([
    ["no ID token", ({ id_token: _, ...honest }, endpoints) => dropAccessToken(honest, endpoints)],
    ["an access token that is no text", (honest) => ({ ...honest, access_token: 42 })],
    [
      "another access token than the ID token names",
      (honest) => ({ ...honest, access_token: "x" }),
    ],
  ])("is refused with %s", async (_, token) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ token })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })
})

test("a list of scopes is joined", async () => {
  const account = await signInWithTokenResponse((provider) =>
    provider.injectFaults({ token: (honest) => ({ ...honest, scope: ["openid", "email"] }) }),
  )
  expect(account.scope).toBe("openid email")
})

describe("the token type", () => {
  test.each(["Bearer", "bearer", "BEARER"])("is converted to lower case: %s", async (tokenType) => {
    const account = await signInWithTokenResponse((provider) =>
      provider.injectFaults({ tokenType }),
    )
    expect(account.token_type).toBe("bearer")
  })
})

test("a token response cannot change the owner of the account", async () => {
  const account = await signInWithTokenResponse((provider) =>
    provider.injectFaults({
      token: (honest) => ({
        ...honest,
        provider: "another",
        providerAccountId: "victim",
        type: "credentials",
        userId: "victim",
        custom: { kept: true },
      }),
    }),
  )
  expect(account).toMatchObject({ provider: "scripted", providerAccountId: "ada", type: "oidc" })
  expect(account).not.toHaveProperty("userId")
  expect(account["custom"]).toEqual({ kept: true })
})
