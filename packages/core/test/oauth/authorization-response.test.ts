import { inspect } from "node:util"
import {
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  type HostileAuthorizationResponse,
  hostileAuthorizationResponses,
  type ScriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"
import {
  createOAuthApp,
  expectSignInRefused,
  listTransactionCookies,
} from "../support/oauth-app.ts"

describe("an authorization response", () => {
  const faults = Object.keys(hostileAuthorizationResponses) as HostileAuthorizationResponse[]
  for (const fault of faults) {
    test(`is refused before the token request: ${fault}`, async () => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc())
      const alice = createTestBrowser(app.app)
      provider.injectFaults({ response: fault })
      const response = await alice.signIn(provider)
      expect(provider.tokenRequests).toEqual([])
      // Without a state, the cookie cannot be identified: it expires by itself.
      if (fault === "state-missing" || fault === "state-other") {
        assertRefused(response)
        expect(await alice.getSession()).toBeNull()
        expect(app.readRows("User")).toEqual([])
      } else await expectSignInRefused(response, alice, app, provider)
    })
  }

  test("is accepted without iss from a provider that does not announce it", async () => {
    const provider = await createScriptedProvider()
    const alice = createTestBrowser((await createOAuthApp(provider.asOidc())).app)
    provider.injectFaults({
      discovery: "minimal",
      response: (parameters) => parameters.delete("iss"),
    })
    const response = await alice.signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test("is refused with a foreign iss from a provider that does not announce it", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ discovery: "minimal", response: "iss-other" })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("is also checked for iss with type oauth, if an issuer is configured", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOAuth())
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ response: "iss-other" })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("is refused with two codes of which one is valid, in any order", async () => {
    for (const turned of [false, true]) {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc())
      const alice = createTestBrowser(app.app)
      const { url, parameters } = provider.approve(await alice.startSignIn(provider))
      const codes = [parameters.get("code") ?? "", "another"]
      parameters.delete("code")
      for (const code of turned ? codes.reverse() : codes) parameters.append("code", code)
      await expectSignInRefused(await alice.open(url), alice, app, provider)
      expect(provider.tokenRequests).toEqual([])
    }
  })
})

/** Returns a response with other parameters than those of RFC 6749. */
function createResponse(
  { issuer: iss }: ScriptedProvider,
  authorizationUrl: URL,
  parameters: Record<string, string>,
): string {
  const state = authorizationUrl.searchParams.get("state") ?? ""
  return `/auth/callback/scripted?${new URLSearchParams({ ...parameters, iss, state })}`
}

describe("an error response of the provider", () => {
  const denial = {
    error: "access_denied",
    error_description: "Ada was not in the mood <b>today</b>",
  }

  test("redirects to the sign-in page, without the provider's text", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const response = await alice.open(provider.deny(await alice.startSignIn(provider), denial))
    await expectSignInRefused(response, alice, app, provider)
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/signin?error=OAuthCallbackError",
    )
    const page = await (await alice.followRedirect(response)).text()
    expect(page).not.toContain("in the mood")
    expect(provider.tokenRequests).toEqual([])
  })

  test("is a warning when the user declines, with the provider's id and text", async () => {
    const { logger, lines } = createMemoryLog()
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { logger, debug: false })
    const alice = createTestBrowser(app.app)
    await alice.open(provider.deny(await alice.startSignIn(provider), denial))
    expect(lines).toEqual([
      [
        "warn",
        "authorization-denied",
        "scripted: the user declined, or the provider refused the user: " +
          '"access_denied: Ada was not in the mood <b>today</b>". ' +
          "If this user should have access, check at the provider who may use the client.",
      ],
    ])
  })

  test.each([
    { error: "ACCESS_DENIED" },
    { error: "user_denied" },
    { error: "user_cancelled_login" },
    { error: "user_cancelled_authorize" },
    { error_code: "200", error_message: "Permissions error" },
  ])("is a warning in the words of other providers: %o", async (response) => {
    const { logger, lines } = createMemoryLog()
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { logger, debug: false })
    const alice = createTestBrowser(app.app)
    await alice.open(createResponse(provider, await alice.startSignIn(provider), response))
    expect(lines.map(([level, code]) => [level, code])).toEqual([["warn", "authorization-denied"]])
  })

  test("names the number and the message that Facebook sends", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const response = { error_code: "1349187", error_message: "The app is not active" }
    await alice.open(createResponse(provider, await alice.startSignIn(provider), response))
    expect(app.readLog()).toContain('The provider responded with "1349187: The app is not active".')
  })

  test.each(["server_error", "temporarily_unavailable"])(
    "is an outage if it is %s: the visitor can try again",
    async (error) => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc())
      const alice = createTestBrowser(app.app)
      const url = await alice.startSignIn(provider)
      const response = await alice.open(provider.deny(url, { error, error_description: "busy" }))
      const location = new URL(response.headers.get("location") ?? "")
      expect(Object.fromEntries(location.searchParams)).toMatchObject({
        error: "Configuration",
        reason: "unavailable",
        provider: "scripted",
      })
      expect(app.readLog()).toContain(`The provider responded with "${error}: busy".`)
    },
  )

  test.each([
    ["without a state", {}],
    ["with a foreign state", { state: "x".repeat(43) }],
  ])("is not lost %s", async (_, parameters) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const refusal = { error: "invalid_scope", error_description: "no such scope" }
    const query = new URLSearchParams({ ...refusal, ...parameters })
    const response = await alice.open(`/auth/callback/scripted?${query}`)
    expect(response.headers.get("location")).not.toContain("scope")
    expect(app.readLog()).toMatch(
      /InvalidCheck.*the provider's error "invalid_scope: no such scope"/,
    )
  })

  test("is an error otherwise, with the provider's id and text", async () => {
    const { logger, lines } = createMemoryLog()
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { logger, debug: false })
    const alice = createTestBrowser(app.app)
    const refusal = { error: "invalid_scope", error_description: "no such scope" }
    await alice.open(provider.deny(await alice.startSignIn(provider), refusal))
    expect(lines).toEqual([
      [
        "error",
        "OAuthCallbackError",
        'The provider responded with "invalid_scope: no such scope".',
        expect.objectContaining({ cause: { provider: "scripted", ...refusal } }),
      ],
    ])
  })

  test("cannot add a line to the log", async () => {
    const provider = await createScriptedProvider()
    const lines: string[] = []
    const note = (...line: unknown[]) => void lines.push(JSON.stringify(line))
    const app = await createOAuthApp(provider.asOidc(), { logger: { error: note, warn: note } })
    const alice = createTestBrowser(app.app)
    const forged = { error: "oops\n[auth][error] forged", error_description: "a\r\nb\u001b[2J" }
    await alice.open(provider.deny(await alice.startSignIn(provider), forged))
    const texts = lines.map((line): unknown => JSON.parse(line))
    const flat = inspect(texts, { depth: null, breakLength: Infinity, compact: true })
    expect(flat).toContain("oops")
    expect(flat).not.toMatch(/oops\\n|a\\r|\\x1b/)
  })

  test("redirects to the custom error page", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { pages: { signIn: "/welcome" } })
    const alice = createTestBrowser(app.app)
    const response = await alice.open(provider.deny(await alice.startSignIn(provider), denial))
    expect(new URL(response.headers.get("location") ?? "").pathname).toBe("/welcome")
    expect(getRedirectError(response)).toBe("OAuthCallbackError")
    expect(listTransactionCookies(alice)).toEqual([])
  })
})
