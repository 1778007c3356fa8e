import { rotateAccessToken } from "@latchkey/core/jwt"
import type { OIDCConfig } from "@latchkey/core/providers"
import type { JWT } from "@latchkey/core/types"
import { assertRefused, createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CertifiedProvider, certifiedProvider } from "../support/certified-provider.ts"
import { expectExpiredResponseIgnored } from "../support/expired-response.ts"
import { createOAuthApp, listTransactionCookies } from "../support/oauth-app.ts"

const home = "https://app.example"

let certified: CertifiedProvider
beforeAll(async () => {
  certified = await certifiedProvider(`${home}/auth/callback/certified`)
})
afterAll(() => certified[Symbol.asyncDispose]())

/** The provider as an application configures it. */
function createProviderConfig(changes: Partial<OIDCConfig> = {}): OIDCConfig {
  const { issuer, clientId, clientSecret } = certified
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
  test("signs in a user whose claims are at the userinfo endpoint, and out again", async () => {
    const app = await createOAuthApp(createProviderConfig())
    const alice = createTestBrowser(app.app)
    const authorizationUrl = await alice.startSignIn("certified", { callbackUrl: "/inbox" })
    expect(authorizationUrl.origin).toBe(certified.issuer)
    const response = await alice.open(await certified.approve(authorizationUrl), {
      from: certified.issuer,
    })
    expect(response.headers.get("location")).toBe(`${home}/inbox`)
    expect(await alice.getSession()).toMatchObject({
      user: { name: "Ada Lovelace", email: "ada@example.com" },
    })
    expect(listTransactionCookies(alice)).toEqual([])
    expect(app.readRows("Account")).toMatchObject([
      { provider: "certified", providerAccountId: "ada", type: "oidc", token_type: "bearer" },
    ])
    await alice.signOut()
    expect(await alice.getSession()).toBeNull()
    expect(app.readRows("Session")).toEqual([])
  })

  test("signs a user in with only the ID token, which has no claim but `sub`", async () => {
    const app = await createOAuthApp(
      createProviderConfig({ idToken: true, checks: ["pkce", "state", "nonce"] }),
    )
    const alice = createTestBrowser(app.app)
    const response = await alice.open(await certified.approve(await alice.startSignIn("certified")))
    expect(response.headers.get("location")).toBe(home)
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "ada" }])
    expect(app.readRows("User")).toMatchObject([{ name: null, email: null }])
  })

  test("accepts a code once, and only from the browser that started the sign-in", async () => {
    const app = await createOAuthApp(createProviderConfig())
    const alice = createTestBrowser(app.app)
    const comeback = await certified.approve(await alice.startSignIn("certified"))
    assertRefused(await createTestBrowser(app.app).open(comeback))
    expect((await alice.open(comeback)).headers.get("location")).toBe(home)
    expectExpiredResponseIgnored(await alice.open(comeback))
  })

  test("refuses a client with the wrong secret", async () => {
    const app = await createOAuthApp(
      createProviderConfig({ clientSecret: "some other secret of that client" }),
    )
    const alice = createTestBrowser(app.app)
    assertRefused(await alice.open(await certified.approve(await alice.startSignIn("certified"))))
    expect(app.readRows("User")).toEqual([])
  })

  test("refreshes the access token whenever it has expired", async () => {
    const { issuer, clientId, clientSecret } = certified
    const rotation = { issuer, clientId, clientSecret, tokenEndpoint: `${issuer}/token` }
    const app = await createOAuthApp(createProviderConfig(), {
      session: { strategy: "jwt" },
      callbacks: {
        jwt: (params) => rotateAccessToken(params, rotation),
        session: ({ session, token }) => ({ ...session, token }),
      },
    })
    const alice = createTestBrowser(app.app)
    await alice.open(await certified.approve(await alice.startSignIn("certified")))
    const tokens: JWT[] = []
    for (const hours of [0, 1.1, 2.2]) {
      const session = await withFrozenTime(Date.now() + hours * 3_600_000, () => alice.getSession())
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
