import { AuthError, getAuth } from "@latchkey/express"
import { expect, test } from "vitest"
import { createConfig } from "./support/config.ts"

const account = {
  userId: "ada",
  provider: "github",
  providerAccountId: "7",
  type: "oauth",
} as const

test("`getAuth` returns functions that use the adapter of the configuration", async () => {
  const listAccounts = async (userId: string) => (userId === "ada" ? [account] : [])
  const config = createConfig({ adapter: { listAccounts }, session: { strategy: "jwt" } })
  const { accounts, users } = getAuth(config)
  const { userId: _, ...linked } = account
  expect(await accounts.list("ada")).toEqual([linked])
  expect(await accounts.list("grace")).toEqual([])
  await expect(users.delete("ada")).rejects.toThrow(AuthError)
})
