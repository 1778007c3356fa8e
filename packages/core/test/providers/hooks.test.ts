import type { TokenSet } from "@latchkey/core/types"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

describe("`token.conform`", () => {
  test("fixes a response that does not conform", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ token: (honest) => ({ data: honest }) })
    const conform = async (response: Response) => {
      const { data } = (await response.json()) as { data: unknown }
      return Response.json(data)
    }
    const app = await createOAuthApp(provider.asOidc({ token: { conform } }))
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("can return nothing", async () => {
    const provider = await createScriptedProvider()
    const seen: unknown[] = []
    const conform = async (response: Response): Promise<undefined> => {
      seen.push(response.status, Object.keys(await response.json()).includes("access_token"))
    }
    const app = await createOAuthApp(provider.asOidc({ token: { conform } }))
    await createTestBrowser(app.app).signIn(provider)
    expect(seen).toEqual([200, true])
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test("refuses the sign-in if it throws", async () => {
    const provider = await createScriptedProvider()
    const conform = () => Promise.reject(new Error("cannot be mended"))
    const app = await createOAuthApp(provider.asOidc({ token: { conform } }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toContain("cannot be mended")
  })
})

describe("`responseParams`", () => {
  test.each([
    ["123146096291789", "123146096291789"],
    ["a text, & more", "a text, & more"],
    ["true", "true"],
    ["null", "null"],
    ['["a"]', '["a"]'],
    ['{"name":"Ada"}', { name: "Ada" }],
    ["{half", undefined],
    ["", undefined],
  ])("add a parameter of the response to the profile: %s", async (sent, received) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({
      response: (parameters) => {
        parameters.set("realmId", sent)
        parameters.set("sub", "somebody else")
      },
    })
    const profiles: Record<string, unknown>[] = []
    const responseParams = ["realmId", "sub", "absent"]
    const profile = (claims: Record<string, unknown>) => {
      profiles.push(claims)
      return { id: String(claims["sub"]) }
    }
    const app = await createOAuthApp(provider.asOidc({ responseParams, profile }))
    await createTestBrowser(app.app).signIn(provider)
    expect(profiles[0]?.["realmId"]).toEqual(received)
    expect(profiles[0]).toMatchObject({ sub: "ada" })
    expect(profiles[0]).not.toHaveProperty("absent")
  })
})

describe("`userinfo.request`", () => {
  const profile = ({ sub, email }: Record<string, unknown>) => ({
    id: String(sub),
    email: String(email),
  })

  test("replaces the request, and receives the tokens and the provider", async () => {
    const provider = await createScriptedProvider()
    const calls: { tokens: TokenSet; provider: Readonly<Record<string, unknown>> }[] = []
    const request = async (context: (typeof calls)[number]) => {
      calls.push(context)
      const { url } = context.provider["userinfo"] as { url: URL }
      const headers = { authorization: `Bearer ${context.tokens.access_token}` }
      const response = await provider.fetch(url, { headers })
      return response.json()
    }
    const userinfo = { url: provider.endpoints.userinfo, request }
    const app = await createOAuthApp(provider.asOAuth({ userinfo, profile }))
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(provider.userinfoRequests).toHaveLength(1)
    const [{ tokens, provider: received }] = calls as [(typeof calls)[number]]
    expect(tokens.expires_at).toBeTypeOf("number")
    expect(received).toMatchObject({ id: "scripted", clientId: provider.clientId })
    expect((received["token"] as { url: URL }).url.href).toBe(provider.endpoints.token)
  })

  test("needs no URL", async () => {
    const provider = await createScriptedProvider({ dialect: "social" })
    const userinfo = { request: () => ({ sub: "from the request", email: "r@example.com" }) }
    const app = await createOAuthApp(provider.asOAuth({ userinfo, profile }))
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "from the request" }])
    expect(provider.userinfoRequests).toEqual([])
  })

  test.each([undefined, null, "ada", 42, ["ada"]])(
    "refuses the sign-in if it returns %j instead of a profile",
    async (value) => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(
        provider.asOAuth({ userinfo: { request: () => value }, profile }),
      )
      const alice = createTestBrowser(app.app)
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    },
  )

  test("refuses the sign-in if it throws", async () => {
    const provider = await createScriptedProvider()
    const request = () => {
      throw new Error("no answer")
    }
    const app = await createOAuthApp(provider.asOAuth({ userinfo: { request }, profile }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })
})

describe("`userinfo.conform`", () => {
  test.each(["oauth", "oidc"])("fixes a response (%s)", async (type) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ userinfo: (honest) => ({ data: honest }) })
    const conform = async (response: Response) =>
      Response.json(((await response.json()) as { data: unknown }).data)
    const userinfo = { url: provider.endpoints.userinfo, conform }
    const oauth = provider.asOAuth({ userinfo })
    const oidc = provider.asOidc({ userinfo, idToken: false })
    const app = await createOAuthApp(type === "oauth" ? oauth : oidc)
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

describe("the order of a sign-in", () => {
  test("calls the `signIn` callback before anything is stored", async () => {
    const provider = await createScriptedProvider()
    const seen: unknown[] = []
    const app = await createOAuthApp(provider.asOidc(), {
      callbacks: {
        signIn({ user, account, profile }) {
          seen.push(user.email, account?.providerAccountId, profile?.sub)
          return false
        },
      },
    })
    const alice = createTestBrowser(app.app)
    const response = await alice.signIn(provider)
    await expectSignInRefused(response, alice, app, provider)
    expect(response.headers.get("location")).toContain("error=AccessDenied")
    expect(seen).toEqual(["ada@example.com", "ada", "ada"])
  })
})
