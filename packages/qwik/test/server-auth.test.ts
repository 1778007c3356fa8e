import { getAuth } from "@latchkey/qwik"
import { expect, test, vi } from "vitest"
import { openTestApplication, type QwikEvent } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

type TestEvent = QwikEvent & { json(status: number, data: unknown): void }

const account = {
  userId: "ada",
  provider: "github",
  providerAccountId: "7",
  type: "oauth",
} as const

test("`getAuth` returns functions that use the adapter of the configuration", async () => {
  const listAccounts = async (userId: string) => (userId === "ada" ? [account] : [])
  const config = createConfig({ adapter: { listAccounts }, session: { strategy: "jwt" } })
  const onGet = async (event: TestEvent) => {
    const [auth, withConfig] = [getAuth(event), getAuth(event, config)]
    const lists = [await auth.accounts.list("ada"), await withConfig.accounts.list("grace")]
    event.json(200, lists)
  }
  const { visitor } = openTestApplication({ config, routes: { "/accounts": { onGet } } })
  const { userId: _, ...linked } = account
  expect(await (await visitor.open("/accounts")).json()).toEqual([[linked], []])
})
