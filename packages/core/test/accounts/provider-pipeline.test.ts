/** The parameters of callbacks and events for a sign-in with a provider: protocol sections 5.4 and 8. */
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createCallJournal } from "../support/call-journal.ts"
import { ada } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

const anyText = expect.any(String)

/** The provider's tokens as an account stores them. */
const tokens = {
  access_token: anyText,
  id_token: anyText,
  refresh_token: anyText,
  token_type: "bearer",
  scope: anyText,
  expires_at: expect.any(Number),
}

async function createJournaledApp(strategy: "database" | "jwt" | "no adapter") {
  const provider = await createScriptedProvider({ id: "work" })
  provider.setUser(ada)
  const database = await createTestDatabase()
  const callJournal = createCallJournal(database)
  const app = createTestApp({
    providers: [provider.asOidc()],
    ...(strategy === "no adapter" ? {} : { adapter: database.adapter, session: { strategy } }),
    ...callJournal.config,
  })
  database.calls.length = 0
  return { ...database, ...app, provider, notes: callJournal }
}

describe("the order of a first sign-in", () => {
  // Looked up before the callback, which receives the user, and after it, because the callback may have stored one.
  const lookups = ["getUserByAccount", "getUserByEmail"]
  const stored = [...lookups, "signIn", ...lookups, "createUser", "linkAccount"]
  const announced = ["E createUser", "E linkAccount"]
  const again = ["getUserByAccount", "signIn", "getUserByAccount", "updateAccount"]

  test.each([
    ["database", [...stored, ...announced, "createSession", "E signIn"]],
    ["jwt", [...stored, ...announced, "jwt", "E signIn"]],
    ["no adapter", ["signIn", "jwt", "E signIn"]],
  ] as const)("%s", async (strategy, order) => {
    const app = await createJournaledApp(strategy)
    await app.openBrowser().signIn(app.provider)
    expect(app.notes.callOrder()).toEqual(order)
  })

  test.each([
    ["database", [...again, "createSession", "E signIn"]],
    ["jwt", [...again, "jwt", "getUser", "E signIn"]],
  ] as const)("and of a later sign-in: %s", async (strategy, order) => {
    const app = await createJournaledApp(strategy)
    await app.openBrowser().signIn(app.provider)
    app.notes.clear()
    await app.openBrowser().signIn(app.provider)
    expect(app.notes.callOrder()).toEqual(order)
  })
})

describe("a first sign-in passes", () => {
  // The provider has no picture.
  const mapped = { id: anyText, name: "Ada", email: "ada@example.com" }
  const stored = { ...mapped, image: null, emailVerified: null }
  const keys = { provider: "work", type: "oidc", providerAccountId: "ada" }
  const profile = expect.objectContaining({ sub: "ada", email: "ada@example.com", aud: anyText })

  test("the mapped user, the whole account and the raw profile to the `signIn` callback", async () => {
    const app = await createJournaledApp("database")
    await app.openBrowser().signIn(app.provider)
    const [parameters] = app.notes.callbackCalls("signIn")
    expect(parameters).toEqual({
      user: mapped,
      account: { ...tokens, ...keys, expires_in: expect.any(Number) },
      profile,
    })
  })

  test("the stored user to the event `createUser`", async () => {
    const app = await createJournaledApp("database")
    await app.openBrowser().signIn(app.provider)
    const [row] = app.rows("User")
    expect(app.notes.eventCalls("createUser")).toEqual([{ user: { ...stored, id: row?.["id"] } }])
  })

  test("the stored user, the stored account and the mapped user to the event `linkAccount`", async () => {
    const app = await createJournaledApp("database")
    await app.openBrowser().signIn(app.provider)
    const [row] = app.rows("User")
    expect(app.notes.eventCalls("linkAccount")).toEqual([
      {
        user: { ...stored, id: row?.["id"] },
        account: { ...tokens, ...keys },
        profile: mapped,
      },
    ])
  })

  test.each(["database", "jwt"] as const)(
    "the sign-in to the event `signIn`, strategy %s",
    async (strategy) => {
      const app = await createJournaledApp(strategy)
      await app.openBrowser().signIn(app.provider)
      await app.openBrowser().signIn(app.provider)
      const [row] = app.rows("User")
      const user = { ...stored, id: row?.["id"] }
      const account = { ...tokens, ...keys, expires_in: expect.any(Number) }
      expect(app.notes.eventCalls("signIn")).toEqual([
        { user, account, profile, isNewUser: true },
        { user, account, profile, isNewUser: false },
      ])
    },
  )

  test("the trigger to the `jwt` callback: `signUp` for a new user, `signIn` for an existing one", async () => {
    const app = await createJournaledApp("jwt")
    await app.openBrowser().signIn(app.provider)
    await app.openBrowser().signIn(app.provider)
    const [row] = app.rows("User")
    const user = { ...stored, id: row?.["id"] }
    const token = { name: "Ada", email: "ada@example.com", picture: null, sub: row?.["id"] }
    const common = {
      token,
      user,
      account: { ...tokens, ...keys, expires_in: expect.any(Number) },
      profile,
    }
    expect(app.notes.callbackCalls("jwt")).toEqual([
      { ...common, isNewUser: true, trigger: "signUp" },
      { ...common, isNewUser: false, trigger: "signIn" },
    ])
  })

  test("nothing about whether the user is new to the `jwt` callback, without a database", async () => {
    const app = await createJournaledApp("no adapter")
    await app.openBrowser().signIn(app.provider)
    const [reported] = app.notes.callbackCalls("jwt")
    expect(reported).toEqual({
      token: { name: "Ada", email: "ada@example.com", sub: reported?.user.id },
      user: mapped,
      account: { ...tokens, ...keys, expires_in: expect.any(Number) },
      profile,
      trigger: "signIn",
    })
    expect(app.notes.eventCalls("signIn")[0]).not.toHaveProperty("isNewUser")
  })

  test("`signIn` receives the stored user from the second sign-in on", async () => {
    const app = await createJournaledApp("database")
    await app.openBrowser().signIn(app.provider)
    app.provider.setUser({ ...ada, name: "Ada King" })
    await app.openBrowser().signIn(app.provider)
    const [row] = app.rows("User")
    expect(app.notes.callbackCalls("signIn")[1]?.user).toMatchObject({
      id: row?.["id"],
      name: "Ada",
    })
  })
})

test("the account is stored as the provider's `account` returns it, with its keys", async () => {
  const app = await createJournaledApp("database")
  const provider = app.provider.asOidc({
    account: () => ({ provider: "spoofed", userId: "spoofed" }),
  })
  await createTestBrowser(createTestApp({ ...app.config, providers: [provider] }).handle).signIn(
    app.provider,
  )
  expect(app.rows("Account")).toMatchObject([
    {
      provider: "work",
      providerAccountId: "ada",
      type: "oidc",
      userId: app.rows("User")[0]?.["id"],
    },
  ])
  expect(app.rows("Account")[0]).toMatchObject({ access_token: null, refresh_token: null })
})
