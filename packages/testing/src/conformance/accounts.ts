import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertNoRow,
  assertRecordEquals,
  buildAccount,
  storeAccount,
  storeUser,
} from "./record-fixtures.ts"

/** Requirements for accounts. */
export const accountCases: readonly ConformanceCase[] = [
  {
    name: "linkAccount stores every token field",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "linkAccount")
      const account = buildAccount(context, (await storeUser(context)).id)
      await adapter.linkAccount({ ...account })
      assertRecordEquals(await context.db.account(account), account, ["id"])
    },
  },
  {
    name: "linkAccount stores an account without tokens",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "linkAccount")
      const { userId, type, provider, providerAccountId } = buildAccount(
        context,
        (await storeUser(context)).id,
      )
      const account = { userId, type, provider, providerAccountId }
      await adapter.linkAccount({ ...account })
      assertRecordEquals(await context.db.account(account), account, ["id"])
    },
  },
  {
    name: "linkAccount rejects a linked account, and does not change it",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "linkAccount")
      const account = await storeAccount(context, (await storeUser(context)).id)
      const { providerAccountId } = account
      const duplicate = buildAccount(context, (await storeUser(context)).id, { providerAccountId })
      await assert.rejects(async () => adapter.linkAccount(duplicate))
      assertRecordEquals(await context.db.account(account), account, ["id"])
    },
  },
  {
    name: "getUserByAccount returns the user of an account, or null",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByAccount")
      const user = await storeUser(context)
      const { provider, providerAccountId } = await storeAccount(context, user.id)
      assertRecordEquals(await adapter.getUserByAccount({ provider, providerAccountId }), user)
      const elsewhere = { provider: "another-provider", providerAccountId }
      assert.equal(await adapter.getUserByAccount(elsewhere), null)
      const unknown = { provider, providerAccountId: randomUUID() }
      assert.equal(await adapter.getUserByAccount(unknown), null)
    },
  },
  {
    name: "getUserByAccount distinguishes equal ids of different providers",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByAccount")
      const [ada, grace] = [await storeUser(context), await storeUser(context)]
      const { provider, providerAccountId } = await storeAccount(context, ada.id)
      const other = "another-provider"
      await storeAccount(context, grace.id, { provider: other, providerAccountId })
      assertRecordEquals(await adapter.getUserByAccount({ provider, providerAccountId }), ada)
      assertRecordEquals(
        await adapter.getUserByAccount({ provider: other, providerAccountId }),
        grace,
      )
    },
  },
  {
    name: "unlinkAccount removes only the given account",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "unlinkAccount")
      const user = await storeUser(context)
      const account = await storeAccount(context, user.id)
      const { provider, providerAccountId } = account
      const others = [
        await storeAccount(context, user.id),
        await storeAccount(context, user.id, { provider: "another", providerAccountId }),
      ]
      await adapter.unlinkAccount({ provider, providerAccountId })
      assertNoRow(await context.db.account({ provider, providerAccountId }))
      for (const other of others) assertRecordEquals(await context.db.account(other), other, ["id"])
      assertRecordEquals(await context.db.user(user.id), user)
    },
  },
]
