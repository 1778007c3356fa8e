/** How a later sign-in updates the tokens of an account. */
import type { Adapter } from "@latchkey/core/adapters"
import { assertRefused, createScriptedProvider } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { ada, createLinkingApp } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

async function createApp(updateAccount: NonNullable<Adapter["updateAccount"]>) {
  const { adapter } = await createTestDatabase()
  const app = await createLinkingApp({ adapter: { ...adapter, updateAccount } })
  app.work.setUser(ada)
  return app
}

test("new tokens are passed to an adapter that can store them, without the fields that the provider omitted", async () => {
  const update = vi.fn<NonNullable<Adapter["updateAccount"]>>(async () => null)
  const app = await createApp(update)
  await app.openBrowser().signIn(app.work)
  expect(update).not.toHaveBeenCalled()
  await app.openBrowser().signIn(app.work)
  expect(update).toHaveBeenCalledTimes(1)
  const [account = {}] = update.mock.calls[0] ?? []
  expect(account).toMatchObject({ provider: "work", providerAccountId: "ada" })
  expect(account).toHaveProperty("access_token", expect.any(String))
  expect(account).not.toHaveProperty("userId")
  expect(Object.values(account)).not.toContain(undefined)
})

test("new tokens that cannot be stored refuse the sign-in", async () => {
  const app = await createApp(() => Promise.reject(new Error("away")))
  await app.openBrowser().signIn(app.work)
  const again = app.openBrowser()
  assertRefused(await again.signIn(app.work))
  expect(await again.getSession()).toBeNull()
})

test("new tokens do not change the owner of the account, whatever the provider returns", async () => {
  const { adapter } = await createTestDatabase()
  const update = vi.fn<NonNullable<Adapter["updateAccount"]>>(async () => null)
  const work = await createScriptedProvider({ id: "work" })
  work.setUser(ada)
  work.injectFaults({ token: (honest) => ({ ...honest, userId: "bob" }) })
  const app = createTestApp({
    adapter: { ...adapter, updateAccount: update },
    providers: [work.asOidc({ account: (tokens: object) => ({ ...tokens }) })],
  })
  await app.openBrowser().signIn(work)
  await app.openBrowser().signIn(work)
  expect(update).toHaveBeenCalledTimes(1)
  expect(update.mock.calls[0]?.[0]).not.toHaveProperty("userId")
})
