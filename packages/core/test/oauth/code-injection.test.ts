import { createHash } from "node:crypto"
import type { Check } from "@latchkey/core/providers"
import {
  type AuthorizationResponse,
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
  type UnusualDiscoveryDocument,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const mallory = { sub: "mallory", email: "mallory@example.com", email_verified: true }

/** Alice's own authorization response, with the code of a sign-in that an attacker started and approved. */
async function injectCode(
  alice: TestBrowser,
  attacker: TestBrowser,
  provider: ScriptedProvider,
): Promise<AuthorizationResponse> {
  const theirs = provider.approve(await attacker.startSignIn(provider), { user: mallory })
  const comeback = provider.approve(await alice.startSignIn(provider))
  comeback.parameters.set("code", theirs.parameters.get("code") ?? "")
  return comeback
}

describe("a code of another user, with a valid state", () => {
  test("is refused by the provider, because the verifier does not match", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const comeback = await injectCode(alice, createTestBrowser(app.app), provider)
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
  })

  test("is refused because of the nonce if the provider ignores PKCE and the nonce was requested", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ ignorePkce: true })
    const app = await createOAuthApp(provider.asOidc({ checks: ["pkce", "nonce"] as const }))
    const alice = createTestBrowser(app.app)
    const comeback = await injectCode(alice, createTestBrowser(app.app), provider)
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  const silent: UnusualDiscoveryDocument[] = ["s256-missing", "pkce-missing", "minimal"]
  test.each(silent)("is refused by default, provider without PKCE: %s", async (discovery) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ discovery, ignorePkce: true })
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const comeback = await injectCode(alice, createTestBrowser(app.app), provider)
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("is refused if PKCE is turned off", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ checks: ["none"] as const }))
    const alice = createTestBrowser(app.app)
    const comeback = await injectCode(alice, createTestBrowser(app.app), provider)
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
  })
})

describe("an authorization request has", () => {
  async function asked(
    changes: object = {},
    discovery?: UnusualDiscoveryDocument,
  ): Promise<URLSearchParams> {
    const provider = await createScriptedProvider()
    if (discovery) provider.injectFaults({ discovery })
    const app = await createOAuthApp(provider.asOidc(changes))
    const alice = createTestBrowser(app.app)
    const url = await alice.startSignIn(provider)
    const response = await alice.open(provider.approve(url))
    expect(response.headers.get("location")).toBe("https://app.example")
    return url.searchParams
  }

  test("a challenge without nonce for a provider that announces S256", async () => {
    const parameters = await asked()
    expect(parameters.get("code_challenge_method")).toBe("S256")
    expect(parameters.has("nonce")).toBe(false)
  })

  test.each<UnusualDiscoveryDocument>(["s256-missing", "pkce-missing", "minimal"])(
    "a challenge and a nonce for a provider that does not announce S256: %s",
    async (discovery) => {
      const parameters = await asked({}, discovery)
      expect(parameters.get("code_challenge_method")).toBe("S256")
      expect(parameters.get("nonce")).toMatch(/^[\w-]{43}$/)
    },
  )

  test("a nonce instead of a challenge if `checks` leaves PKCE out", async () => {
    const parameters = await asked({ checks: ["state"] })
    expect(parameters.has("code_challenge")).toBe(false)
    expect(parameters.get("nonce")).toMatch(/^[\w-]{43}$/)
  })

  test("a state, whatever `checks` contains", async () => {
    expect((await asked({ checks: ["none"] })).get("state")).toMatch(/^[\w-]{43,}$/)
    expect((await asked({ checks: ["nonce"] })).get("state")).toMatch(/^[\w-]{43,}$/)
  })

  test.each([
    [["pkce"], true, false],
    [["pkce", "state"], true, false],
    [["state"], false, false],
    [["nonce"], false, true],
    [["none"], false, false],
  ])("what `checks` contains, and a state, for type oauth: %j", async (checks, pkce, nonce) => {
    const provider = await createScriptedProvider({ dialect: "social" })
    const app = await createOAuthApp({ ...provider.asOAuth(), checks: checks as Check[] })
    const alice = createTestBrowser(app.app)
    const url = await alice.startSignIn(provider)
    const has = ["state", "code_challenge", "nonce"].map((name) => url.searchParams.has(name))
    expect(has).toEqual([true, pkce, nonce])
    const response = await alice.open(provider.approve(url))
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(provider.tokenRequests[0]?.body.has("code_verifier")).toBe(pkce)
  })

  test("a new verifier each time, from which the challenge was computed", async () => {
    const provider = await createScriptedProvider()
    const alice = createTestBrowser((await createOAuthApp(provider.asOidc())).app)
    const challenges = []
    for (let round = 0; round < 3; round += 1) {
      const url = await alice.startSignIn(provider)
      challenges.push(url.searchParams.get("code_challenge"))
      await alice.open(provider.approve(url))
    }
    const verifiers = provider.tokenRequests.map(({ body }) => body.get("code_verifier") ?? "")
    const expected = verifiers.map((text) => createHash("sha256").update(text).digest("base64url"))
    expect(challenges).toEqual(expected)
    expect(new Set(verifiers).size).toBe(3)
    for (const verifier of verifiers) expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
  })
})
