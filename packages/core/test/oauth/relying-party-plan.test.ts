/**
 * The relying-party tests of the OpenID Foundation's conformance suite that can run in one process, under their names.
 * The suite acts as the provider, and a test passes if the client rejects or accepts the responses as it should.
 *
 * Source: https://gitlab.com/openid/conformance-suite, `net.openid.conformance.openid.client`, as of August 2026.
 */
import { existsSync } from "node:fs"
import {
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
  type ProviderFaults,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectNoSecretsLogged } from "../support/oauth-app.ts"

const home = "https://app.example"

interface PlanTest {
  /** Whether the sign-in must succeed. */
  readonly expected: "signed in" | "refused"
  readonly faults?: ProviderFaults
  readonly provider?: ScriptedProviderOptions
  /** Changes to the client's provider object. */
  readonly client?: object
  /** Further assertions. */
  readonly verify?: (provider: ScriptedProvider) => void
}

const accept: PlanTest = { expected: "signed in" }
const refuse = (faults: ProviderFaults, rest: Partial<PlanTest> = {}): PlanTest => ({
  expected: "refused",
  faults,
  ...rest,
})

/** A second key with another algorithm, so that one key fits a token without `kid`. */
const secondKey = { kty: "EC", crv: "P-256", kid: "second", alg: "ES256", use: "sig" }
const withSecondKey = ({ keys }: Record<string, unknown>) => ({
  keys: [...(keys as object[]), { ...secondKey, x: "A".repeat(43), y: "A".repeat(43) }],
})

const plan: Readonly<Record<string, PlanTest>> = {
  // Basic profile
  "oidcc-client-test": accept,
  "oidcc-client-test-invalid-iss": refuse({ idToken: "iss-other" }),
  "oidcc-client-test-missing-sub": refuse({ idToken: "sub-missing" }),
  "oidcc-client-test-invalid-aud": refuse({ idToken: "aud-other" }),
  "oidcc-client-test-missing-iat": refuse({ idToken: "iat-missing" }),
  "oidcc-client-test-kid-absent-single-jwks": { ...accept, faults: { idToken: "kid-missing" } },
  "oidcc-client-test-kid-absent-multiple-jwks": {
    ...accept,
    faults: { idToken: "kid-missing", jwks: withSecondKey },
  },
  "oidcc-client-test-idtoken-sig-rs256": { ...accept, provider: { alg: "RS256" } },
  "oidcc-client-test-idtoken-sig-none": refuse({ idToken: "alg-none" }),
  "oidcc-client-test-invalid-sig-rs256": refuse({ idToken: "signature-broken" }),
  "oidcc-client-test-userinfo-invalid-sub": refuse(
    { userinfo: "sub-other" },
    { client: { idToken: false } },
  ),
  "oidcc-client-test-nonce-invalid": refuse(
    { idToken: "nonce-other" },
    { client: { checks: ["pkce", "state", "nonce"] } },
  ),
  "oidcc-client-test-scope-userinfo-claims": {
    ...accept,
    client: { idToken: false, authorization: { params: { scope: "openid profile email" } } },
    verify: ({ authorizationRequests, userinfoRequests }) => {
      expect(authorizationRequests[0]?.get("scope")).toBe("openid profile email")
      expect(userinfoRequests).toHaveLength(1)
    },
  },
  "oidcc-client-test-client-secret-basic": {
    ...accept,
    provider: { authMethods: ["client_secret_basic"] },
    verify: ({ tokenRequests }) => expect(tokenRequests[0]?.clientAuth).toBe("client_secret_basic"),
  },
  // Beyond the basic profile
  "oidcc-client-test-invalid-sig-hs256": refuse({ idToken: "hmac-client-secret" }),
  "oidcc-client-test-invalid-sig-es256": refuse(
    { idToken: "signature-broken" },
    { provider: { alg: "ES256" }, client: { client: { id_token_signed_response_alg: "ES256" } } },
  ),
  "oidcc-client-test-missing-aud": refuse({ idToken: "aud-missing" }),
  "oidcc-client-test-invalid-athash": refuse({ idToken: "at-hash-other" }),
  // The code flow does not require it (OpenID Connect Core 3.1.3.6).
  "oidcc-client-test-missing-athash": { ...accept, faults: { idToken: "at-hash-missing" } },
  "oidcc-client-test-userinfo-bearer-header": {
    ...accept,
    client: { idToken: false },
    verify: ({ userinfoRequests }) => {
      expect(userinfoRequests[0]?.headers.get("authorization")).toMatch(/^Bearer ./)
      expect(userinfoRequests[0]?.url.search).toBe("")
    },
  },
  "oidcc-client-test-aggregated-claims": {
    ...accept,
    client: { idToken: false },
    faults: {
      userinfo: (honest) => ({
        ...honest,
        _claim_names: { email: "source" },
        _claim_sources: { source: { JWT: "eyJhbGciOiJub25lIn0.e30." } },
      }),
    },
  },
  // The suite expects a request for the claims. It is optional, and its target would be the provider's choice.
  "oidcc-client-test-distributed-claims": {
    ...accept,
    client: { idToken: false },
    faults: {
      userinfo: (honest) => ({
        ...honest,
        _claim_names: { email: "source" },
        _claim_sources: { source: { endpoint: "https://claims.example/", access_token: "x" } },
      }),
    },
    verify: ({ requests }) =>
      expect(requests.filter(({ endpoint }) => endpoint === "elsewhere")).toEqual([]),
  },
  // Configuration
  "oidcc-client-test-discovery-openid-config": {
    ...accept,
    verify: ({ discoveryRequests }) => expect(discoveryRequests).toHaveLength(1),
  },
  "oidcc-client-test-discovery-jwks-uri-keys": {
    ...accept,
    verify: ({ jwksRequests }) => expect(jwksRequests).toHaveLength(1),
  },
  "oidcc-client-test-discovery-issuer-mismatch": refuse({ discovery: "issuer-other" }),
  // FAPI 2 (there `fapi2-security-profile-final-client-test-…`), without signed requests and what is above already
  "fapi2-client-test-ensure-authorization-response-with-invalid-state-fails": refuse({
    response: "state-other",
  }),
  "fapi2-client-test-ensure-authorization-response-with-invalid-missing-state-fails": refuse({
    response: "state-missing",
  }),
  "fapi2-client-test-invalid-authorization-response-iss": refuse(
    { response: "iss-other" },
    { verify: ({ tokenRequests }) => expect(tokenRequests).toEqual([]) },
  ),
  "fapi2-client-test-remove-authorization-response-iss": refuse(
    { response: "iss-missing" },
    { verify: ({ tokenRequests }) => expect(tokenRequests).toEqual([]) },
  ),
  "fapi2-client-test-invalid-missing-iss": refuse({ idToken: "iss-missing" }),
  "fapi2-client-test-invalid-secondary-aud": refuse({ idToken: "aud-several-without-azp" }),
  "fapi2-client-test-valid-aud-as-array": { ...accept, faults: { idToken: "aud-array" } },
  "fapi2-client-test-invalid-missing-nonce": refuse(
    { idToken: ({ claims }) => void delete claims["nonce"] },
    { client: { checks: ["pkce", "state", "nonce"] } },
  ),
  "fapi2-client-test-invalid-expired-exp": refuse({ idToken: "exp-past" }),
  "fapi2-client-test-invalid-missing-exp": refuse({ idToken: "exp-missing" }),
  "fapi2-client-test-invalid-null-alg": refuse({ idToken: "alg-none" }),
  "fapi2-client-test-invalid-alternate-alg": refuse({ idToken: "alg-unlisted" }),
  "fapi2-client-test-token-type-case-insensitivity": { ...accept, faults: { tokenType: "BeArEr" } },
  "fapi2-client-test-token-endpoint-response-without-expires_in": {
    ...accept,
    faults: { expiresIn: undefined },
  },
}

/** Tests of the suite that cannot run here, and why. Where a reason names a test file, that file covers the case. */
const notPlayed: Readonly<Record<string, string>> = {
  "oidcc-client-test-invalid-chash":
    "Only the code flow is used; c_hash belongs to the hybrid flow.",
  "oidcc-client-test-missing-chash":
    "Only the code flow is used; c_hash belongs to the hybrid flow.",
  "oidcc-client-test-nonce-unless-code-flow": "Only the code flow is used.",
  "oidcc-client-test-userinfo-bearer-body": "The access token is always sent in the header.",
  "oidcc-client-test-userinfo-signed": "userinfo.test.ts has signed userinfo and its forgeries.",
  "oidcc-client-test-form-post-error": "form-post.test.ts has the errors of form_post.",
  "oidcc-client-test-request-uri-signed-none": "Request objects are not offered.",
  "oidcc-client-test-request-uri-signed-rs256": "Request objects are not offered.",
  "oidcc-client-test-mtls-endpoint-aliases": "Certificates of clients are not offered.",
  "oidcc-client-test-3rd-party-init-login": "Another site must not start a sign-in.",
  "oidcc-client-test-discovery-webfinger-acct":
    "Providers are configured, not discovered by address.",
  "oidcc-client-test-discovery-webfinger-url":
    "Providers are configured, not discovered by address.",
  "oidcc-client-test-dynamic-registration": "Clients are registered by the developer.",
  "oidcc-client-test-signing-key-rotation": "See below.",
  "oidcc-client-test-signing-key-rotation-just-before-signing": "See below.",
  "oidcc-client-test-refresh-token": "rotate.test.ts has the refresh.",
  "oidcc-client-test-refresh-token-invalid-issuer": "rotate-failure.test.ts has foreign ID tokens.",
  "oidcc-client-test-refresh-token-invalid-sub": "rotate-failure.test.ts has foreign ID tokens.",
  ...Object.fromEntries(
    [
      "rp-init-logout",
      "rp-init-logout-no-state",
      "rp-init-logout-other-state",
      "rp-frontchannel-opinitlogout",
      "rp-frontchannel-rpinitlogout",
      "rp-backchannel-rpinitlogout",
      "rp-backchannel-rpinitlogout-alg-none",
      "rp-backchannel-rpinitlogout-no-event",
      "rp-backchannel-rpinitlogout-with-nonce",
      "rp-backchannel-rpinitlogout-wrong-alg",
      "rp-backchannel-rpinitlogout-wrong-aud",
      "rp-backchannel-rpinitlogout-wrong-event",
      "rp-backchannel-rpinitlogout-wrong-iss",
      "session-management",
    ].map((name) => [`oidcc-client-test-${name}`, "Sign-out with the provider is not offered."]),
  ),
}

describe("the test plan for relying parties", () => {
  test.each(Object.entries(plan))("%s", async (_, planTest) => {
    const provider = await createScriptedProvider(planTest.provider)
    const app = await createOAuthApp(provider.asOidc(planTest.client ?? {}))
    const alice = createTestBrowser(app.app)
    provider.injectFaults(planTest.faults ?? {})
    const response = await signIn(alice, provider)
    if (planTest.expected === "refused") assertRefused(response)
    else expect(response.headers.get("location")).toBe(home)
    expect((await alice.getSession()) !== null).toBe(planTest.expected === "signed in")
    expect(app.readRows("User")).toHaveLength(planTest.expected === "signed in" ? 1 : 0)
    expectNoSecretsLogged(app, provider)
    planTest.verify?.(provider)
  })

  test.each([true, false])("signing-key-rotation, the old key stays: %s", async (keepOld) => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    await createTestBrowser(app.app).signIn(provider)
    await provider.rotateKeys({ keepOld })
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe(home)
  })

  test("signing-key-rotation-just-before-signing", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    await createTestBrowser(app.app).signIn(provider)
    const alice = createTestBrowser(app.app)
    const authorizationUrl = await alice.startSignIn(provider)
    await provider.rotateKeys()
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location")).toBe(home)
  })

  test("each test of the plan is implemented, or has a reason why not", () => {
    const names = [...Object.keys(plan), ...Object.keys(notPlayed)]
    // The number of tests that the suite publishes.
    expect(names.filter((name) => name.startsWith("oidcc-client-test"))).toHaveLength(57)
    for (const [name, reason] of Object.entries(notPlayed)) {
      expect(plan).not.toHaveProperty([name])
      expect(reason).toMatch(/^[A-Z\w].*\.$/)
      const file = /^[\w-]+\.test\.ts/.exec(reason)?.[0] ?? ""
      expect(existsSync(new URL(file, import.meta.url))).toBe(true)
    }
  })
})

/** A sign-in that continues until an error stops it, which may be before the authorization request. */
async function signIn(
  browser: ReturnType<typeof createTestBrowser>,
  provider: ScriptedProvider,
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  const first = await browser.post(browser.getRoutePath(`signin/${provider.id}`), { csrfToken })
  const target = new URL(first.headers.get("location") ?? "", home)
  return target.origin === home ? first : browser.open(provider.approve(target))
}
