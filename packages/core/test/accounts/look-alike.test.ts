/** Databases whose collation takes one letter for another. */
import type { Adapter } from "@latchkey/core/adapters"
import { browser, scriptedProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { oauthApp } from "../support/oauth-app.ts"

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "")

test.each([
  ["an accent", "ada@éxample.com", "ada@example.com"],
  ["a letter written as two", "strasse@example.com", "straße@example.com"],
])(
  "an address that differs by %s is nobody's, whatever the database finds",
  async (_, own, asked) => {
    const provider = await scriptedProvider()
    provider.user({ sub: "owner", email: own, email_verified: true })
    const at = await oauthApp(provider.asOidc({ allowDangerousEmailAccountLinking: true }))
    await browser(at.app).signIn(provider)
    const { adapter } = at.config
    // A real collation finds the owner for both spellings.
    const loose: Partial<Adapter> = {
      getUserByEmail: async () => adapter?.getUserByEmail?.(own) ?? null,
    }
    at.config.adapter = { ...adapter, ...loose }

    provider.user({ sub: "stranger", email: asked, email_verified: true })
    await browser(at.app).signIn(provider)

    const [owner] = at.rows("User")
    expect(plain(String(owner?.["email"]))).toBe(plain(own))
    const owners = at.rows("Account").map((account) => account["userId"] === owner?.["id"])
    expect(owners).toEqual([true, false])
  },
)

test("an adapter that knows a second address of a user may find the user by it", async () => {
  const provider = await scriptedProvider()
  provider.user({ sub: "1", email: "ada@example.com", email_verified: true })
  const at = await oauthApp(provider.asOidc({ allowDangerousEmailAccountLinking: true }))
  await browser(at.app).signIn(provider)
  const { adapter } = at.config
  const second: Partial<Adapter> = {
    getUserByEmail: async () => adapter?.getUserByEmail?.("ada@example.com") ?? null,
  }
  at.config.adapter = { ...adapter, ...second }

  provider.user({ sub: "2", email: "lovelace@example.com", email_verified: true })
  await browser(at.app).signIn(provider)

  expect(at.rows("User")).toHaveLength(1)
})
