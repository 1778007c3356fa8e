import { rotateAccessToken } from "@latchkey/core/jwt"
import type { OIDCConfig } from "@latchkey/core/providers"
import type { JWT } from "@latchkey/core/types"
import { assertRefused, browser, withClock } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CertifiedProvider, certifiedProvider } from "../support/certified-provider.ts"
import { flowCookies, oauthApp } from "../support/oauth-app.ts"

const home = "https://app.example"

let real: CertifiedProvider
beforeAll(async () => {
  real = await certifiedProvider(`${home}/auth/callback/certified`)
})
afterAll(() => real[Symbol.asyncDispose]())

/** The provider as an application writes it down. */
function written(changes: Partial<OIDCConfig> = {}): OIDCConfig {
  const { issuer, clientId, clientSecret } = real
  return {
    id: "certified",
    name: "Certified",
    type: "oidc",
    issuer,
    clientId,
    clientSecret,
    idToken: false,
    authorization: {
      params: { scope: "openid profile email offline_access", prompt: "consent" },
    },
    ...changes,
  }
}

describe("a certified provider", () => {
  test("signs a person in, whose claims are at userinfo, and out again", async () => {
    const at = await oauthApp(written())
    const alice = browser(at.app)
    const begun = await alice.begin("certified", { callbackUrl: "/inbox" })
    expect(begun.origin).toBe(real.issuer)
    const answer = await alice.open(await real.approve(begun), { from: real.issuer })
    expect(answer.headers.get("location")).toBe(`${home}/inbox`)
    expect(await alice.session()).toMatchObject({
      user: { name: "Ada Lovelace", email: "ada@example.com" },
    })
    expect(flowCookies(alice)).toEqual([])
    expect(at.rows("Account")).toMatchObject([
      { provider: "certified", providerAccountId: "ada", type: "oidc", token_type: "bearer" },
    ])
    await alice.signOut()
    expect(await alice.session()).toBeNull()
    expect(at.rows("Session")).toEqual([])
  })

  test("signs a person in by the ID token alone, which has but the `sub`", async () => {
    const at = await oauthApp(written({ idToken: true, checks: ["pkce", "state", "nonce"] }))
    const alice = browser(at.app)
    const answer = await alice.open(await real.approve(await alice.begin("certified")))
    expect(answer.headers.get("location")).toBe(home)
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "ada" }])
    expect(at.rows("User")).toMatchObject([{ name: null, email: null }])
  })

  test("takes a code once, and only from the browser that began", async () => {
    const at = await oauthApp(written())
    const alice = browser(at.app)
    const comeback = await real.approve(await alice.begin("certified"))
    assertRefused(await browser(at.app).open(comeback))
    expect((await alice.open(comeback)).headers.get("location")).toBe(home)
    assertRefused(await alice.open(comeback))
  })

  test("lets nobody in for a client that has the wrong secret", async () => {
    const at = await oauthApp(written({ clientSecret: "some other secret of that client" }))
    const alice = browser(at.app)
    assertRefused(await alice.open(await real.approve(await alice.begin("certified"))))
    expect(at.rows("User")).toEqual([])
  })

  test("renews the access token when it has expired, again and again", async () => {
    const { issuer, clientId, clientSecret } = real
    const rotation = { issuer, clientId, clientSecret, tokenEndpoint: `${issuer}/token` }
    const at = await oauthApp(written(), {
      session: { strategy: "jwt" },
      callbacks: {
        jwt: (params) => rotateAccessToken(params, rotation),
        session: ({ session, token }) => ({ ...session, token }),
      },
    })
    const alice = browser(at.app)
    await alice.open(await real.approve(await alice.begin("certified")))
    const tokens: JWT[] = []
    for (const hours of [0, 1.1, 2.2]) {
      const session = await withClock(Date.now() + hours * 3_600_000, () => alice.session())
      tokens.push(session?.["token"] as JWT)
    }
    expect(tokens.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    expect(new Set(tokens.map((token) => token["access_token"])).size).toBe(3)
    expect(new Set(tokens.map((token) => token["refresh_token"])).size).toBe(3)
    const response = await fetch(`${issuer}/me`, {
      headers: { authorization: `Bearer ${tokens[2]?.["access_token"]}` },
    })
    expect(await response.json()).toMatchObject({ sub: "ada" })
  })
})
