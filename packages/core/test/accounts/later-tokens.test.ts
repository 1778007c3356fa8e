/** The tokens of an account at a later sign-in. */
import type { Adapter } from "@latchkey/core/adapters"
import { assertRefused, scriptedProvider } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { application } from "../support/application.ts"
import { ada, linkingHouse } from "../support/linking-house.ts"
import { world } from "../support/world.ts"

async function house(updateAccount: NonNullable<Adapter["updateAccount"]>) {
  const { adapter } = await world()
  const at = await linkingHouse({ adapter: { ...adapter, updateAccount } })
  at.work.user(ada)
  return at
}

test("go to an adapter that can keep them, without what the provider left out", async () => {
  const update = vi.fn<NonNullable<Adapter["updateAccount"]>>(async () => null)
  const at = await house(update)
  await at.visitor().signIn(at.work)
  expect(update).not.toHaveBeenCalled()
  await at.visitor().signIn(at.work)
  expect(update).toHaveBeenCalledTimes(1)
  const [account = {}] = update.mock.calls[0] ?? []
  expect(account).toMatchObject({ provider: "work", providerAccountId: "ada" })
  expect(account).toHaveProperty("access_token", expect.any(String))
  expect(account).not.toHaveProperty("userId")
  expect(Object.values(account)).not.toContain(undefined)
})

test("that cannot be kept keep the person out: the database is not what it should be", async () => {
  const at = await house(() => Promise.reject(new Error("away")))
  await at.visitor().signIn(at.work)
  const again = at.visitor()
  assertRefused(await again.signIn(at.work))
  expect(await again.session()).toBeNull()
})

test("do not say whose account it is, whatever the provider answers", async () => {
  const { adapter } = await world()
  const update = vi.fn<NonNullable<Adapter["updateAccount"]>>(async () => null)
  const work = await scriptedProvider({ id: "work" })
  work.user(ada)
  work.misbehave({ token: (honest) => ({ ...honest, userId: "bob" }) })
  const at = application({
    adapter: { ...adapter, updateAccount: update },
    providers: [work.asOidc({ account: (tokens: object) => ({ ...tokens }) })],
  })
  await at.visitor().signIn(work)
  await at.visitor().signIn(work)
  expect(update).toHaveBeenCalledTimes(1)
  expect(update.mock.calls[0]?.[0]).not.toHaveProperty("userId")
})
