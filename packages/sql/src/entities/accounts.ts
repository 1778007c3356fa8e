import type { Adapter } from "@latchkey/core/adapters"
import type { Compilable } from "kysely"
import { changing } from "../changes.ts"
import { slot, type Values } from "../query.ts"
import { lookup } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { first, removing } from "../touching.ts"
import { accountFields, accountFromRow, accountToRow } from "./account-row.ts"
import { insertion } from "./insertion.ts"

type AccountMethods = Required<
  Pick<Adapter, "getAccount" | "linkAccount" | "unlinkAccount" | "updateAccount">
>

/** The statement that stores an account. */
export function insertAccount(store: Store): (query: Query) => Compilable {
  return insertion(store, "Account", accountFields)
}

/** The methods for accounts. */
export function accounts(store: Store): AccountMethods {
  const { codecs, columns } = store
  const insert = prepared(store, "linkAccount", insertAccount(store))
  const fields = columns.read("Account", accountFields)
  const read = (query: Query) => found(store, query.selectFrom("Account").select(fields))
  const plain = (query: Query) => found(store, query.deleteFrom("Account"))
  const returning = (query: Query) => plain(query).returning(fields)
  const find = first(store, "getAccount", read)
  const remove = removing(store, "unlinkAccount", { plain, returning, read })
  return {
    updateAccount: updateOf(store, read),
    async linkAccount(account) {
      const row = accountToRow(codecs, account)
      await insert({ ...row, id: crypto.randomUUID() })
      return accountFromRow(codecs, complete(row))
    },
    async getAccount(providerAccountId, provider) {
      const row = await find(keyOf(store, provider, providerAccountId))
      return row && accountFromRow(codecs, row)
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const row = await remove(keyOf(store, provider, providerAccountId))
      return row === null ? undefined : accountFromRow(codecs, row)
    },
  }
}

function updateOf(
  store: Store,
  read: (query: Query) => Compilable,
): AccountMethods["updateAccount"] {
  const { codecs, columns } = store
  const plain = (query: Query, fields: readonly string[]) =>
    found(store, query.updateTable("Account").set(columns.slots("Account", fields)))
  const change = changing(store, "updateAccount", {
    read,
    plain,
    returning: (query, fields) =>
      plain(query, fields).returning(columns.read("Account", accountFields)),
  })
  return async ({ provider, providerAccountId, ...changes }) => {
    const row = await change(
      accountToRow(codecs, changes),
      keyOf(store, provider, providerAccountId),
    )
    return row && accountFromRow(codecs, row)
  }
}

/** Narrows a statement down to one account. */
function found<Statement extends { where(...condition: unknown[]): Statement }>(
  { columns }: Store,
  statement: Statement,
): Statement {
  return statement
    .where(columns.of("Account", "provider"), "=", slot("provider"))
    .where(columns.of("Account", "providerAccountId"), "=", slot("providerAccountId"))
}

// A part that no row can have is NULL, which equals nothing.
function keyOf({ codecs }: Store, provider: unknown, providerAccountId: unknown): Values {
  return {
    provider: lookup(codecs, provider, "Account.provider"),
    providerAccountId: lookup(codecs, providerAccountId, "Account.providerAccountId"),
  }
}

/** A row with every column, as a database gives it. */
function complete(row: Record<string, unknown>): Record<string, unknown> {
  return { ...Object.fromEntries(accountFields.map((field) => [field, null])), ...row }
}
