/** Databases whose collation treats different letters as equal. */
import type { Adapter } from "@latchkey/core/adapters"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { createFoldingAdapter } from "../support/folding-adapter.ts"
import { openMigratedDatabase } from "../support/migrated-database.ts"
import { createOAuthApp } from "../support/oauth-app.ts"

const stripMarks = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "")

test.each([
  ["an accent", "éda@example.com", "eda@example.com"],
  ["a letter written as two characters", "strasse@example.com", "straße@example.com"],
])(
  "an address that differs by %s finds no user, whatever the database returns",
  async (_, own, received) => {
    const provider = await createScriptedProvider()
    provider.setUser({ sub: "owner", email: own, email_verified: true })
    const app = await createOAuthApp(provider.asOidc({ allowDangerousEmailAccountLinking: true }))
    await createTestBrowser(app.app).signIn(provider)
    const { adapter } = app.config
    // Such a collation finds the owner with both spellings.
    const loose: Partial<Adapter> = {
      getUserByEmail: async () => adapter?.getUserByEmail?.(own) ?? null,
    }
    app.config.adapter = { ...adapter, ...loose }

    provider.setUser({ sub: "stranger", email: received, email_verified: true })
    await createTestBrowser(app.app).signIn(provider)

    const [owner] = app.readRows("User")
    expect(stripMarks(String(owner?.["email"]))).toBe(stripMarks(own))
    const owners = app.readRows("Account").map((account) => account["userId"] === owner?.["id"])
    expect(owners).toEqual([true, false])
  },
)

test.each([
  ["a dotless i", "mike@example.com", "mıke@example.com"],
  ["an ß", "strase@example.com", "straße@example.com"],
  ["an accent", "ada@example.com", "adá@example.com"],
  ["a digit of another script", "ada3@example.com", "ada٣@example.com"],
])("a link for an address with %s does not sign in as somebody else", async (_, own, similar) => {
  const database = openMigratedDatabase()
  const app = await createEmailApp({ adapter: createFoldingAdapter(database) })
  const owner = app.openBrowser()
  await owner.open(await app.receiveLink(owner, own))
  expect(await owner.getSession()).toMatchObject({ user: { email: own } })

  const stranger = app.openBrowser()
  await stranger.open(await app.receiveLink(stranger, similar))

  expect((await stranger.getSession())?.user?.email).toBe(similar)
  expect(database.prepare('select id from "User"').all()).toHaveLength(2)
  expect(app.log.errorMessages("AdapterError").join()).toContain("getUserByEmail")
})

test("an address in another case or width is the same address", async () => {
  const database = openMigratedDatabase()
  const adapter = createFoldingAdapter(database)
  const app = await createEmailApp({ adapter })
  await adapter.createUser?.({ id: "1", email: "Ada@Example.com", emailVerified: null })

  const browser = app.openBrowser()
  await browser.open(await app.receiveLink(browser, "ａda@example.com"))

  expect(await browser.getSession()).toMatchObject({ user: { email: "Ada@Example.com" } })
})

describe("an adapter that finds a user by a second address", () => {
  test.each([
    ["is not trusted by default", undefined, 2],
    ["is believed if it says that it supports aliases", true, 1],
  ])("%s", async (_, supportsEmailAliases, count) => {
    const provider = await createScriptedProvider()
    provider.setUser({ sub: "1", email: "ada@example.com", email_verified: true })
    const app = await createOAuthApp(provider.asOidc({ allowDangerousEmailAccountLinking: true }))
    await createTestBrowser(app.app).signIn(provider)
    const { adapter } = app.config
    app.config.adapter = {
      ...adapter,
      ...(supportsEmailAliases ? { supportsEmailAliases } : {}),
      getUserByEmail: async () => adapter?.getUserByEmail?.("ada@example.com") ?? null,
    }

    provider.setUser({ sub: "2", email: "lovelace@example.com", email_verified: true })
    await createTestBrowser(app.app).signIn(provider)

    expect(app.readRows("User")).toHaveLength(count)
  })
})
