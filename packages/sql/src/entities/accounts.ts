import type { Adapter } from "@latchkey/core/adapters"
import type { Compilable } from "kysely"
import { slot, slots, type Values } from "../query.ts"
import { lookup } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { first, removing } from "../touching.ts"
import { accountColumns, accountFromRow, accountToRow } from "./account-row.ts"

type AccountMethods = Required<Pick<Adapter, "getAccount" | "linkAccount" | "unlinkAccount">>

/** The statement that stores an account. */
export function insertAccount(query: Query): Compilable {
  return query.insertInto("Account").values(slots(["id", ...accountColumns]))
}

/** The methods for accounts. */
export function accounts(store: Store): AccountMethods {
  const { codecs } = store
  const insert = prepared(store, "linkAccount", insertAccount)
  const read = (query: Query) =>
    query
      .selectFrom("Account")
      .select(accountColumns)
      .where("provider", "=", slot("provider"))
      .where("providerAccountId", "=", slot("providerAccountId"))
  const plain = (query: Query) =>
    query
      .deleteFrom("Account")
      .where("provider", "=", slot("provider"))
      .where("providerAccountId", "=", slot("providerAccountId"))
  const returning = (query: Query) => plain(query).returning(accountColumns)
  const find = first(store, "getAccount", read)
  const remove = removing(store, "unlinkAccount", { plain, returning, read })

  return {
    async linkAccount(account) {
      const row = accountToRow(codecs, account)
      await insert({ ...row, id: crypto.randomUUID() })
      return accountFromRow(codecs, row)
    },
    async getAccount(providerAccountId, provider) {
      const row = await find(keyOf(provider, providerAccountId))
      return row && accountFromRow(codecs, row)
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const row = await remove(keyOf(provider, providerAccountId))
      return row === null ? undefined : accountFromRow(codecs, row)
    },
  }
}

// A part that no row can have is NULL, which equals nothing.
function keyOf(provider: unknown, providerAccountId: unknown): Values {
  return {
    provider: lookup(provider, "Account.provider"),
    providerAccountId: lookup(providerAccountId, "Account.providerAccountId"),
  }
}
