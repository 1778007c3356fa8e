import type { TokenSet } from "@latchkey/core/types"
import { browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

describe("`token.conform`", () => {
  test("mends an answer that does not conform", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ token: (honest) => ({ data: honest }) })
    const conform = async (response: Response) => {
      const { data } = (await response.json()) as { data: unknown }
      return Response.json(data)
    }
    const at = await oauthApp(provider.asOidc({ token: { conform } }))
    const alice = browser(at.app)
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("may look and return nothing", async () => {
    const provider = await scriptedProvider()
    const seen: unknown[] = []
    const conform = async (response: Response): Promise<undefined> => {
      seen.push(response.status, Object.keys(await response.json()).includes("access_token"))
    }
    const at = await oauthApp(provider.asOidc({ token: { conform } }))
    await browser(at.app).signIn(provider)
    expect(seen).toEqual([200, true])
    expect(at.rows("Account")).toHaveLength(1)
  })

  test("that throws lets nobody in", async () => {
    const provider = await scriptedProvider()
    const conform = () => Promise.reject(new Error("cannot be mended"))
    const at = await oauthApp(provider.asOidc({ token: { conform } }))
    const alice = browser(at.app)
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    expect(at.log()).toContain("cannot be mended")
  })
})

describe("`userinfo.request`", () => {
  const profile = ({ sub, email }: Record<string, unknown>) => ({
    id: String(sub),
    email: String(email),
  })

  test("replaces the request, and gets the tokens and the provider", async () => {
    const provider = await scriptedProvider()
    const calls: { tokens: TokenSet; provider: Readonly<Record<string, unknown>> }[] = []
    const request = async (context: (typeof calls)[number]) => {
      calls.push(context)
      const { url } = context.provider["userinfo"] as { url: URL }
      const headers = { authorization: `Bearer ${context.tokens.access_token}` }
      const response = await provider.fetch(url, { headers })
      return response.json()
    }
    const userinfo = { url: provider.endpoints.userinfo, request }
    const at = await oauthApp(provider.asOAuth({ userinfo, profile }))
    const alice = browser(at.app)
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(provider.userinfoRequests).toHaveLength(1)
    const [{ tokens, provider: given }] = calls as [(typeof calls)[number]]
    expect(tokens.expires_at).toBeTypeOf("number")
    expect(given).toMatchObject({ id: "scripted", clientId: provider.clientId })
    expect((given["token"] as { url: URL }).url.href).toBe(provider.endpoints.token)
  })

  test("needs no URL beside it", async () => {
    const provider = await scriptedProvider({ dialect: "social" })
    const userinfo = { request: () => ({ sub: "from the request", email: "r@example.com" }) }
    const at = await oauthApp(provider.asOAuth({ userinfo, profile }))
    await browser(at.app).signIn(provider)
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "from the request" }])
    expect(provider.userinfoRequests).toEqual([])
  })

  test.each([undefined, null, "ada", 42, ["ada"]])(
    "77 that gives %j instead of a profile lets nobody in",
    async (value) => {
      const provider = await scriptedProvider()
      const at = await oauthApp(provider.asOAuth({ userinfo: { request: () => value }, profile }))
      const alice = browser(at.app)
      await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    },
  )

  test("that throws lets nobody in", async () => {
    const provider = await scriptedProvider()
    const request = () => {
      throw new Error("no answer")
    }
    const at = await oauthApp(provider.asOAuth({ userinfo: { request }, profile }))
    const alice = browser(at.app)
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })
})

describe("`userinfo.conform`", () => {
  test.each(["oauth", "oidc"])("mends an answer (%s)", async (type) => {
    const provider = await scriptedProvider()
    provider.misbehave({ userinfo: (honest) => ({ data: honest }) })
    const conform = async (response: Response) =>
      Response.json(((await response.json()) as { data: unknown }).data)
    const userinfo = { url: provider.endpoints.userinfo, conform }
    const oauth = provider.asOAuth({ userinfo })
    const oidc = provider.asOidc({ userinfo, idToken: false })
    const at = await oauthApp(type === "oauth" ? oauth : oidc)
    const alice = browser(at.app)
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

describe("the order of things", () => {
  test("the `signIn` callback decides before anything is stored", async () => {
    const provider = await scriptedProvider()
    const seen: unknown[] = []
    const at = await oauthApp(provider.asOidc(), {
      callbacks: {
        signIn({ user, account, profile }) {
          seen.push(user.email, account?.providerAccountId, profile?.sub)
          return false
        },
      },
    })
    const alice = browser(at.app)
    const answer = await alice.signIn(provider)
    await expectNothingCameOfIt(answer, alice, at, provider)
    expect(answer.headers.get("location")).toContain("error=AccessDenied")
    expect(seen).toEqual(["ada@example.com", "ada", "ada"])
  })
})
