/** What callbacks and events are told when somebody comes in through a provider: protocol sections 5.4 and 8. */
import { browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { application } from "../support/application.ts"
import { journal } from "../support/journal.ts"
import { ada } from "../support/linking-house.ts"
import { world } from "../support/world.ts"

const anyText = expect.any(String)

/** What the provider's tokens look like in an account. */
const tokens = {
  access_token: anyText,
  id_token: anyText,
  refresh_token: anyText,
  token_type: "bearer",
  scope: anyText,
  expires_at: expect.any(Number),
}

async function desk(strategy: "database" | "jwt" | "no adapter") {
  const provider = await scriptedProvider({ id: "work" })
  provider.user(ada)
  const stored = await world()
  const notes = journal(stored)
  const served = application({
    providers: [provider.asOidc()],
    ...(strategy === "no adapter" ? {} : { adapter: stored.adapter, session: { strategy } }),
    ...notes.config,
  })
  stored.calls.length = 0
  return { ...stored, ...served, provider, notes }
}

describe("5.4 the order of a first sign-in", () => {
  // Looked up before, so that the callback sees who would be entered, and after, because it may have stored them.
  const lookups = ["getUserByAccount", "getUserByEmail"]
  const stored = [...lookups, "signIn", ...lookups, "createUser", "linkAccount"]
  const announced = ["E createUser", "E linkAccount"]
  const again = ["getUserByAccount", "signIn", "getUserByAccount", "updateAccount"]

  test.each([
    ["database", [...stored, ...announced, "createSession", "E signIn"]],
    ["jwt", [...stored, ...announced, "jwt", "E signIn"]],
    ["no adapter", ["signIn", "jwt", "E signIn"]],
  ] as const)("%s", async (strategy, order) => {
    const at = await desk(strategy)
    await at.visitor().signIn(at.provider)
    expect(at.notes.order()).toEqual(order)
  })

  test.each([
    ["database", [...again, "createSession", "E signIn"]],
    ["jwt", [...again, "jwt", "E signIn"]],
  ] as const)("and of a later one: %s", async (strategy, order) => {
    const at = await desk(strategy)
    await at.visitor().signIn(at.provider)
    at.notes.forget()
    await at.visitor().signIn(at.provider)
    expect(at.notes.order()).toEqual(order)
  })
})

describe("8 what is told at a first sign-in", () => {
  const mapped = { id: anyText, name: "Ada", email: "ada@example.com", image: null }
  const keys = { provider: "work", type: "oidc", providerAccountId: "ada" }
  const profile = expect.objectContaining({ sub: "ada", email: "ada@example.com", aud: anyText })

  test("the `signIn` callback: the mapped person, the whole account, the raw profile", async () => {
    const at = await desk("database")
    await at.visitor().signIn(at.provider)
    const [parameters] = at.notes.told("signIn")
    expect(parameters).toEqual({
      user: mapped,
      account: { ...tokens, ...keys, expires_in: expect.any(Number) },
      profile,
    })
  })

  test("the event createUser: the stored user", async () => {
    const at = await desk("database")
    await at.visitor().signIn(at.provider)
    const [row] = at.rows("User")
    expect(at.notes.event("createUser")).toEqual([
      { user: { ...mapped, id: row?.["id"], emailVerified: null } },
    ])
  })

  test("the event linkAccount: the stored user, what is stored of the account, the mapped person", async () => {
    const at = await desk("database")
    await at.visitor().signIn(at.provider)
    const [row] = at.rows("User")
    expect(at.notes.event("linkAccount")).toEqual([
      {
        user: { ...mapped, id: row?.["id"], emailVerified: null },
        account: { ...tokens, ...keys },
        profile: mapped,
      },
    ])
  })

  test.each(["database", "jwt"] as const)("the event signIn, strategy %s", async (strategy) => {
    const at = await desk(strategy)
    await at.visitor().signIn(at.provider)
    await at.visitor().signIn(at.provider)
    const [row] = at.rows("User")
    const user = { ...mapped, id: row?.["id"], emailVerified: null }
    const account = { ...tokens, ...keys, expires_in: expect.any(Number) }
    expect(at.notes.event("signIn")).toEqual([
      { user, account, profile, isNewUser: true },
      { user, account, profile, isNewUser: false },
    ])
  })

  test("the `jwt` callback: signUp for a new user, signIn for a known one", async () => {
    const at = await desk("jwt")
    await at.visitor().signIn(at.provider)
    await at.visitor().signIn(at.provider)
    const [row] = at.rows("User")
    const user = { ...mapped, id: row?.["id"], emailVerified: null }
    const token = { name: "Ada", email: "ada@example.com", picture: null, sub: row?.["id"] }
    const common = {
      token,
      user,
      account: { ...tokens, ...keys, expires_in: expect.any(Number) },
      profile,
    }
    expect(at.notes.told("jwt")).toEqual([
      { ...common, isNewUser: true, trigger: "signUp" },
      { ...common, isNewUser: false, trigger: "signIn" },
    ])
  })

  test("the `jwt` callback without a database: nobody can tell whether somebody is new", async () => {
    const at = await desk("no adapter")
    await at.visitor().signIn(at.provider)
    const [told] = at.notes.told("jwt")
    expect(told).toEqual({
      token: { name: "Ada", email: "ada@example.com", picture: null, sub: told?.user.id },
      user: mapped,
      account: { ...tokens, ...keys, expires_in: expect.any(Number) },
      profile,
      trigger: "signIn",
    })
    expect(at.notes.event("signIn")[0]).not.toHaveProperty("isNewUser")
  })

  test("`signIn` is told the stored user from the second time on", async () => {
    const at = await desk("database")
    await at.visitor().signIn(at.provider)
    at.provider.user({ ...ada, name: "Ada King" })
    await at.visitor().signIn(at.provider)
    const [row] = at.rows("User")
    expect(at.notes.told("signIn")[1]?.user).toMatchObject({ id: row?.["id"], name: "Ada" })
  })
})

test("the account is stored as the provider's `account` says, and with its keys", async () => {
  const at = await desk("database")
  const provider = at.provider.asOidc({
    account: () => ({ provider: "spoofed", userId: "spoofed" }),
  })
  await browser(application({ ...at.config, providers: [provider] }).handle).signIn(at.provider)
  expect(at.rows("Account")).toMatchObject([
    {
      provider: "work",
      providerAccountId: "ada",
      type: "oidc",
      userId: at.rows("User")[0]?.["id"],
    },
  ])
  expect(at.rows("Account")[0]).toMatchObject({ access_token: null, refresh_token: null })
})
