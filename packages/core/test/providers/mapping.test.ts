import type { AuthConfig } from "@latchkey/core"
import type { Account, Profile, TokenSet, User } from "@latchkey/core/types"
import { browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

/** Keeps what the callbacks and events are given. */
function witness() {
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

const unstored = { expires_in: 3600, refresh_expires_in: 7200, custom: { deep: [1] } }

describe("the tokens of an account", () => {
  test("are all given to the callbacks, and stored as far as the database has a place for them", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ token: (honest) => ({ ...honest, ...unstored, session_state: "s1" }) })
    const { seen, config } = witness()
    const at = await oauthApp(provider.asOidc(), config)
    await browser(at.app).signIn(provider)
    const keys = { provider: "scripted", providerAccountId: "ada", type: "oidc" }
    expect(seen.account).toMatchObject({ ...keys, ...unstored, session_state: "s1" })
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
    const [row] = at.rows("Account")
    expect(row).toMatchObject({ ...keys, ...stored })
    expect(seen.linked).toEqual({ ...keys, ...stored, session_state: "s1" })
    expect(row?.["userId"]).toBe(at.rows("User")[0]?.["id"])
  })

  test("are stored as `account` chooses, and given to the callbacks in full", async () => {
    const provider = await scriptedProvider()
    const account = ({ scope, access_token }: TokenSet) => ({
      scope: `${scope} and more`,
      access_token: `sealed:${access_token?.length}`,
      provider: "another",
      providerAccountId: "another",
      userId: "another",
    })
    const { seen, config } = witness()
    const at = await oauthApp(provider.asOidc({ account }), config)
    await browser(at.app).signIn(provider)
    expect(at.rows("Account")).toMatchObject([
      {
        provider: "scripted",
        providerAccountId: "ada",
        userId: at.rows("User")[0]?.["id"],
        scope: "openid profile email and more",
        access_token: expect.stringMatching(/^sealed:\d+$/),
        refresh_token: null,
        id_token: null,
      },
    ])
    expect(seen.account?.access_token).toMatch(/^access-/)
    expect(seen.account?.refresh_token).toMatch(/^refresh-/)
  })

  test("are left out when `account` says undefined", async () => {
    const provider = await scriptedProvider()
    const account = ({ scope }: TokenSet) => ({ scope, refresh_token: undefined })
    const { seen, config } = witness()
    const at = await oauthApp(provider.asOidc({ account }), config)
    await browser(at.app).signIn(provider)
    const names = ["provider", "providerAccountId", "scope", "type"]
    expect(Object.keys(seen.linked ?? {}).sort()).toEqual(names)
  })

  test("are not stored at all when `account` returns nothing", async () => {
    const provider = await scriptedProvider()
    const { config } = witness()
    const at = await oauthApp(provider.asOidc({ account: () => undefined }), config)
    await browser(at.app).signIn(provider)
    expect(at.rows("Account")).toMatchObject([
      { providerAccountId: "ada", access_token: null, refresh_token: null, id_token: null },
    ])
  })
})

describe("the profile of a person", () => {
  test("is mapped by `profile`, which gets the tokens too", async () => {
    const provider = await scriptedProvider()
    const calls: unknown[][] = []
    const profile = async (claims: Record<string, unknown>, tokens: TokenSet) => {
      calls.push([claims["sub"], tokens.access_token?.slice(0, 7), tokens.expires_at])
      return { id: `mapped-${claims["sub"]}`, name: "Mapped", email: "Mapped@Example.com" }
    }
    const { seen, config } = witness()
    const at = await oauthApp(provider.asOidc({ profile }), config)
    await browser(at.app).signIn(provider)
    expect(calls).toEqual([["ada", "access-", expect.any(Number)]])
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "mapped-ada" }])
    expect(at.rows("User")).toMatchObject([{ name: "Mapped", email: "mapped@example.com" }])
    expect(seen.user).toMatchObject({ name: "Mapped", email: "mapped@example.com" })
    expect(seen.profile).toMatchObject({
      sub: "ada",
      email: "ada@example.com",
      name: "Ada Lovelace",
    })
    expect(at.rows("User")[0]?.["id"]).not.toBe("mapped-ada")
  })

  const names: [object, string | null][] = [
    [{ name: "Ada Lovelace", nickname: "ada", preferred_username: "countess" }, "Ada Lovelace"],
    [{ name: undefined, nickname: "ada", preferred_username: "countess" }, "ada"],
    [{ name: undefined, preferred_username: "countess" }, "countess"],
    [{ name: undefined }, null],
  ]
  test.each(names)("is mapped by default: %j is called %s", async (claims, name) => {
    const provider = await scriptedProvider()
    provider.misbehave({ idToken: (parts) => void Object.assign(parts.claims, claims) })
    const at = await oauthApp(provider.asOidc())
    await browser(at.app).signIn(provider)
    expect(at.rows("User")).toMatchObject([
      { name, email: "ada@example.com", image: "https://idp.example/ada.png" },
    ])
  })

  test.each([0, 42, 9007199254740991])("may have a numeric id, kept as text: %d", async (id) => {
    const provider = await scriptedProvider({ dialect: "social" })
    provider.misbehave({ userinfo: (honest) => ({ ...honest, id }) })
    const { seen, config } = witness()
    const at = await oauthApp(provider.asOAuth(), config)
    await browser(at.app).signIn(provider)
    await browser(at.app).signIn(provider)
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: String(id) }])
    expect(seen.account?.providerAccountId).toBe(String(id))
  })

  test("may have a numeric id by the default mapping as well", async () => {
    const provider = await scriptedProvider({ dialect: "social" })
    provider.misbehave({ userinfo: (honest) => ({ ...honest, id: 7 }) })
    const { profile: _, ...written } = provider.asOAuth()
    const at = await oauthApp(written)
    await browser(at.app).signIn(provider)
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "7" }])
  })

  test("keeps its account when its address and name change", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    await browser(at.app).signIn(provider)
    provider.user({ sub: "ada", email: "countess@example.com", name: "Countess" })
    await browser(at.app).signIn(provider)
    expect(at.rows("User")).toHaveLength(1)
    expect(at.rows("Account")).toHaveLength(1)
  })

  test.each([null, "ada", 42, undefined])("is refused when `profile` returns %j", async (value) => {
    const provider = await scriptedProvider()
    const profile = () => value as unknown as User
    const at = await oauthApp(provider.asOidc({ profile }))
    const alice = browser(at.app)
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    expect(at.log()).toContain("OAuthProfileParseError")
  })
})
