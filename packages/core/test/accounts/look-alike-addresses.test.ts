/** Databases whose collation treats different letters as equal. */
import type { Adapter } from "@latchkey/core/adapters"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"

const stripMarks = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "")

test.each([
  ["an accent", "ada@éxample.com", "ada@example.com"],
  ["a letter written as two", "strasse@example.com", "straße@example.com"],
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

test("an adapter that stores a second address of a user can find the user by it", async () => {
  const provider = await createScriptedProvider()
  provider.setUser({ sub: "1", email: "ada@example.com", email_verified: true })
  const app = await createOAuthApp(provider.asOidc({ allowDangerousEmailAccountLinking: true }))
  await createTestBrowser(app.app).signIn(provider)
  const { adapter } = app.config
  const second: Partial<Adapter> = {
    getUserByEmail: async () => adapter?.getUserByEmail?.("ada@example.com") ?? null,
  }
  app.config.adapter = { ...adapter, ...second }

  provider.setUser({ sub: "2", email: "lovelace@example.com", email_verified: true })
  await createTestBrowser(app.app).signIn(provider)

  expect(app.readRows("User")).toHaveLength(1)
})
