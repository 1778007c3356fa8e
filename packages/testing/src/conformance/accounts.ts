import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { having } from "./context.ts"
import { anAccount, assertNothing, assertRecord, storedAccount, storedUser } from "./records.ts"

/** What an adapter promises about accounts. */
export const accountCases: readonly ConformanceCase[] = [
  {
    name: "9 linkAccount stores every token field",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "linkAccount")
      const account = anAccount(context, (await storedUser(context)).id)
      await adapter.linkAccount({ ...account })
      assertRecord(await context.db.account(account), account, ["id"])
    },
  },
  {
    name: "9 linkAccount stores an account without tokens",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "linkAccount")
      const { userId, type, provider, providerAccountId } = anAccount(
        context,
        (await storedUser(context)).id,
      )
      const account = { userId, type, provider, providerAccountId }
      await adapter.linkAccount({ ...account })
      assertRecord(await context.db.account(account), account, ["id"])
    },
  },
  {
    name: "9 linkAccount rejects an account that is linked already, and leaves it alone",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "linkAccount")
      const account = await storedAccount(context, (await storedUser(context)).id)
      const { providerAccountId } = account
      const thief = anAccount(context, (await storedUser(context)).id, { providerAccountId })
      await assert.rejects(async () => adapter.linkAccount(thief))
      assertRecord(await context.db.account(account), account, ["id"])
    },
  },
  {
    name: "10 getUserByAccount finds the user of an account, or null",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "getUserByAccount")
      const user = await storedUser(context)
      const { provider, providerAccountId } = await storedAccount(context, user.id)
      assertRecord(await adapter.getUserByAccount({ provider, providerAccountId }), user)
      const elsewhere = { provider: "another-provider", providerAccountId }
      assert.equal(await adapter.getUserByAccount(elsewhere), null)
      const unknown = { provider, providerAccountId: randomUUID() }
      assert.equal(await adapter.getUserByAccount(unknown), null)
    },
  },
  {
    name: "10 getUserByAccount keeps the same id at two providers apart",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "getUserByAccount")
      const [ada, grace] = [await storedUser(context), await storedUser(context)]
      const { provider, providerAccountId } = await storedAccount(context, ada.id)
      const other = "another-provider"
      await storedAccount(context, grace.id, { provider: other, providerAccountId })
      assertRecord(await adapter.getUserByAccount({ provider, providerAccountId }), ada)
      assertRecord(await adapter.getUserByAccount({ provider: other, providerAccountId }), grace)
    },
  },
  {
    name: "16 unlinkAccount removes the account, and no other",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "unlinkAccount")
      const user = await storedUser(context)
      const account = await storedAccount(context, user.id)
      const other = await storedAccount(context, user.id)
      const { provider, providerAccountId } = account
      await adapter.unlinkAccount({ provider, providerAccountId })
      assertNothing(await context.db.account({ provider, providerAccountId }))
      assertRecord(await context.db.account(other), other, ["id"])
      assertRecord(await context.db.user(user.id), user)
    },
  },
]
