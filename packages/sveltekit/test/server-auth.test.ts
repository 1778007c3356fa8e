import { AuthError, getAuth } from "@latchkey/sveltekit"
import { expect, test, vi } from "vitest"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

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
