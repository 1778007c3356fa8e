import type { AuthConfig } from "@latchkey/core"
import type { Account, Profile, TokenSet, User } from "@latchkey/core/types"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

/** Records the parameters of callbacks and events. */
function createRecorder() {
  const seen: { account?: Account | null; user?: User; profile?: Profile; linked?: Account } = {}
  const config: Partial<AuthConfig> = {
    session: { strategy: "jwt" },
    callbacks: {
      jwt({ token, account, user, profile }) {
        if (account) Object.assign(seen, { account, user, profile })
        return token
      },
    },
    events: { linkAccount: ({ account }) => void Object.assign(seen, { linked: account }) },
  }
  return { seen, config }
}

const extraTokenFields = { expires_in: 3600, refresh_expires_in: 7200, custom: { deep: [1] } }

describe("the tokens of an account", () => {
  test("are all passed to the callbacks, and stored if the database has a column", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({
      token: (honest) => ({ ...honest, ...extraTokenFields, session_state: "s1" }),
    })
    const { seen, config } = createRecorder()
    const app = await createOAuthApp(provider.asOidc(), config)
    await createTestBrowser(app.app).signIn(provider)
    const keys = { provider: "scripted", providerAccountId: "ada", type: "oidc" }
    expect(seen.account).toMatchObject({ ...keys, ...extraTokenFields, session_state: "s1" })
    expect(seen.account).not.toHaveProperty("userId")
    const { access_token, id_token, refresh_token, expires_at, scope } = seen.account!
    const stored = {
      access_token,
      id_token,
      refresh_token,
      expires_at,
      scope,
      token_type: "bearer",
    }
    const [row] = app.readRows("Account")
    expect(row).toMatchObject({ ...keys, ...stored })
    expect(seen.linked).toEqual({ ...keys, ...stored, session_state: "s1" })
    expect(row?.["userId"]).toBe(app.readRows("User")[0]?.["id"])
  })

  test("are stored as `account` selects, and passed to the callbacks in full", async () => {
    const provider = await createScriptedProvider()
    const account = ({ scope, access_token }: TokenSet) => ({
      scope: `${scope} and more`,
      access_token: `sealed:${access_token?.length}`,
      provider: "another",
      providerAccountId: "another",
      userId: "another",
    })
    const { seen, config } = createRecorder()
    const app = await createOAuthApp(provider.asOidc({ account }), config)
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("Account")).toMatchObject([
      {
        provider: "scripted",
        providerAccountId: "ada",
        userId: app.readRows("User")[0]?.["id"],
        scope: "openid profile email and more",
        access_token: expect.stringMatching(/^sealed:\d+$/),
        refresh_token: null,
        id_token: null,
      },
    ])
    expect(seen.account?.access_token).toMatch(/^access-/)
    expect(seen.account?.refresh_token).toMatch(/^refresh-/)
  })

  test("are not stored if `account` returns undefined for them", async () => {
    const provider = await createScriptedProvider()
    const account = ({ scope }: TokenSet) => ({ scope, refresh_token: undefined })
    const { seen, config } = createRecorder()
    const app = await createOAuthApp(provider.asOidc({ account }), config)
    await createTestBrowser(app.app).signIn(provider)
    const names = ["provider", "providerAccountId", "scope", "type"]
    expect(Object.keys(seen.linked ?? {}).sort()).toEqual(names)
  })

  test("are not stored if `account` returns nothing", async () => {
    const provider = await createScriptedProvider()
    const { config } = createRecorder()
    const app = await createOAuthApp(provider.asOidc({ account: () => undefined }), config)
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("Account")).toMatchObject([
      { providerAccountId: "ada", access_token: null, refresh_token: null, id_token: null },
    ])
  })
})

describe("the profile of a user", () => {
  test("is mapped by `profile`, which also receives the tokens", async () => {
    const provider = await createScriptedProvider()
    const calls: unknown[][] = []
    const profile = async (claims: Record<string, unknown>, tokens: TokenSet) => {
      calls.push([claims["sub"], tokens.access_token?.slice(0, 7), tokens.expires_at])
      return { id: `mapped-${claims["sub"]}`, name: "Mapped", email: "Mapped@Example.com" }
    }
    const { seen, config } = createRecorder()
    const app = await createOAuthApp(provider.asOidc({ profile }), config)
    await createTestBrowser(app.app).signIn(provider)
    expect(calls).toEqual([["ada", "access-", expect.any(Number)]])
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "mapped-ada" }])
    expect(app.readRows("User")).toMatchObject([{ name: "Mapped", email: "mapped@example.com" }])
    expect(seen.user).toMatchObject({ name: "Mapped", email: "mapped@example.com" })
    expect(seen.profile).toMatchObject({
      sub: "ada",
      email: "ada@example.com",
      name: "Ada Lovelace",
    })
    expect(app.readRows("User")[0]?.["id"]).not.toBe("mapped-ada")
  })

  const names: [object, string | null][] = [
    [{ name: "Ada Lovelace", nickname: "ada", preferred_username: "countess" }, "Ada Lovelace"],
    [{ name: undefined, nickname: "ada", preferred_username: "countess" }, "ada"],
    [{ name: undefined, preferred_username: "countess" }, "countess"],
    [{ name: undefined }, null],
  ]
  test.each(names)("is mapped by default: %j has the name %s", async (claims, name) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ idToken: (parts) => void Object.assign(parts.claims, claims) })
    const app = await createOAuthApp(provider.asOidc())
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("User")).toMatchObject([
      { name, email: "ada@example.com", image: "https://idp.example/ada.png" },
    ])
  })

  test.each([0, 42, 9007199254740991])(
    "can have a numeric id, which is stored as a string: %d",
    async (id) => {
      const provider = await createScriptedProvider({ dialect: "social" })
      provider.injectFaults({ userinfo: (honest) => ({ ...honest, id }) })
      const { seen, config } = createRecorder()
      const app = await createOAuthApp(provider.asOAuth(), config)
      await createTestBrowser(app.app).signIn(provider)
      await createTestBrowser(app.app).signIn(provider)
      expect(app.readRows("Account")).toMatchObject([{ providerAccountId: String(id) }])
      expect(seen.account?.providerAccountId).toBe(String(id))
    },
  )

  test("can have a numeric id with the default mapping", async () => {
    const provider = await createScriptedProvider({ dialect: "social" })
    provider.injectFaults({ userinfo: (honest) => ({ ...honest, id: 7 }) })
    const { profile: _, ...written } = provider.asOAuth()
    const app = await createOAuthApp(written)
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "7" }])
  })

  test("keeps its account if the address and name change", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    await createTestBrowser(app.app).signIn(provider)
    provider.setUser({ sub: "ada", email: "countess@example.com", name: "Countess" })
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("User")).toHaveLength(1)
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test.each([null, "ada", 42, undefined])("is refused if `profile` returns %j", async (value) => {
    const provider = await createScriptedProvider()
    const profile = () => value as unknown as User
    const app = await createOAuthApp(provider.asOidc({ profile }))
    const alice = createTestBrowser(app.app)
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(app.readLog()).toContain("OAuthProfileParseError")
  })
})
