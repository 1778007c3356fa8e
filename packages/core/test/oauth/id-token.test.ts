import {
  assertRefused,
  browser,
  type HostileIdToken,
  hostileIdTokens,
  type OddIdToken,
  oddIdTokens,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, expectSecretsUnlogged, oauthApp } from "../support/oauth-app.ts"

/** Which case of the catalogue a token belongs to. */
function caseOf(fault: HostileIdToken | OddIdToken): number {
  if (/^iat-(?:far|just)|just/.test(fault)) return 72
  if (/^(?:nonce|at-hash)/.test(fault)) return 75
  if (/^(?:alg|hmac|crit|typ)/.test(fault)) return 73
  if (/^(?:key|certificate|kid|signature)/.test(fault)) return 74
  if (/^(?:absent|empty|number|array|nested|encrypted|garbage)$/.test(fault)) return 76
  return fault === "prototype-claims" ? 78 : 71
}

describe("71 72 73 74 75 76 78 an ID token", () => {
  for (const fault of Object.keys(hostileIdTokens) as HostileIdToken[]) {
    test(`${caseOf(fault)} is refused: ${fault}`, async () => {
      const provider = await scriptedProvider()
      // The mapping does not look at the token: it is the token that is refused.
      const at = await oauthApp(provider.asOidc({ profile: () => ({ id: "ada" }) }))
      const alice = browser(at.app)
      provider.misbehave({ idToken: fault })
      await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
      expect(provider.tokenRequests).toHaveLength(1)
      // Nothing is fetched from where a token points to.
      const elsewhere = provider.requests.filter(({ endpoint }) => endpoint === "elsewhere")
      expect(elsewhere).toEqual([])
    })
  }

  for (const oddity of Object.keys(oddIdTokens) as OddIdToken[]) {
    test(`${caseOf(oddity)} is accepted: ${oddity}`, async () => {
      const provider = await scriptedProvider()
      const at = await oauthApp(provider.asOidc())
      const alice = browser(at.app)
      provider.misbehave({ idToken: oddity })
      const answer = await alice.signIn(provider)
      expect(answer.headers.get("location")).toBe("https://app.example")
      expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
      expectSecretsUnlogged(at, provider)
    })
  }

  test.each(["iss", "aud", "sub", "exp", "iat"])("71 is refused with %s: null", async (name) => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    provider.misbehave({
      idToken: ({ claims }) => {
        claims[name] = null
      },
    })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test("75 is refused without the nonce that was asked for", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc({ checks: ["nonce"] as const }))
    const alice = browser(at.app)
    provider.misbehave({
      idToken: ({ claims }) => {
        delete claims.nonce
      },
    })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test("75 is refused with another nonce than the one that was asked for", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc({ checks: ["nonce"] as const }))
    const alice = browser(at.app)
    provider.misbehave({ idToken: "nonce-other" })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test.each(["", 0, false, null, ["x"]])("75 is refused with at_hash: %j", async (hash) => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    provider.misbehave({
      idToken: ({ claims }) => {
        claims.at_hash = hash
      },
    })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test("76 of a provider without OpenID Connect says nothing of the person", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOAuth({ authorization: authorizationFor(provider) }))
    const alice = browser(at.app)
    provider.misbehave({
      idToken: ({ claims }) => {
        claims.sub = "victim"
        claims.email = "victim@example.com"
      },
    })
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "ada", type: "oauth" }])
  })
})

test("76 an ID token of a provider without OpenID Connect is kept as it is", async () => {
  const provider = await scriptedProvider()
  const at = await oauthApp(provider.asOAuth({ authorization: authorizationFor(provider) }))
  provider.misbehave({ idToken: "garbage" })
  const answer = await browser(at.app).signIn(provider)
  expect(answer.headers.get("location")).toBe("https://app.example")
  expect(at.rows("Account")).toMatchObject([{ id_token: "this.is.not-a-token" }])
})

function authorizationFor({ endpoints }: { endpoints: { authorize: string } }) {
  return { url: endpoints.authorize, params: { scope: "openid profile email" } }
}

describe("the algorithm of an ID token", () => {
  test.each(["RS256", "PS256", "ES256"] as const)("73 may be %s when announced", async (alg) => {
    const provider = await scriptedProvider({ alg, issuer: `https://${alg}.example` })
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("73 is the configured one, whatever is announced", async () => {
    const provider = await scriptedProvider()
    const client = { id_token_signed_response_alg: "ES256" }
    const at = await oauthApp(provider.asOidc({ client }))
    const alice = browser(at.app)
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test.each(["HS256", "none"])(
    "73 is never %s, even when configured and announced",
    async (alg) => {
      const provider = await scriptedProvider()
      const client = { id_token_signed_response_alg: alg }
      const at = await oauthApp(provider.asOidc({ client }))
      const alice = browser(at.app)
      provider.misbehave({
        discovery: (honest) => ({ ...honest, id_token_signing_alg_values_supported: [alg] }),
        idToken: alg === "none" ? "alg-none" : "hmac-client-secret",
      })
      assertRefused(await alice.signIn(provider))
      expect(await alice.session()).toBeNull()
      expect(at.rows("User")).toEqual([])
    },
  )

  test("73 is RS256 where nothing is announced", async () => {
    const provider = await scriptedProvider({ alg: "ES256", issuer: "https://es.example" })
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    provider.misbehave({
      discovery: (honest) => ({ ...honest, id_token_signing_alg_values_supported: undefined }),
    })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })
})
