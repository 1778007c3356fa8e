import type { Adapter } from "@latchkey/core/adapters"
import type { Compilable } from "kysely"
import { preparePartialUpdate } from "../partial-update.ts"
import { prepareDelete, prepareFindFirst } from "../row-statements.ts"
import { encodeRecord, toLookupId, toLookupText } from "../schema/encode-value.ts"
import { namedParameter, type ParameterValues } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"
import { accountFields, accountFromRow } from "./account-row.ts"
import { createInsertQuery } from "./insert-query.ts"

type AccountMethods = Required<
  Pick<Adapter, "getAccount" | "linkAccount" | "listAccounts" | "unlinkAccount" | "updateAccount">
>

/** Builds the statement that stores an account. */
export function insertAccount(store: Store): (query: QueryBuilder) => Compilable {
  return createInsertQuery(store, "Account", accountFields)
}

export function createAccountMethods(store: Store): AccountMethods {
  const { codecs, columns } = store
  const insert = prepareStatement(store, "linkAccount", insertAccount(store))
  const fields = columns.selections("Account", accountFields)
  const read = (query: QueryBuilder) =>
    whereAccount(store, query.selectFrom("Account").select(fields))
  const plain = (query: QueryBuilder) => whereAccount(store, query.deleteFrom("Account"))
  const returning = (query: QueryBuilder) => plain(query).returning(fields)
  const find = prepareFindFirst(store, "getAccount", read)
  const list = prepareStatement(store, "listAccounts", (query) =>
    query
      .selectFrom("Account")
      .select(fields)
      .where(columns.ref("Account", "userId"), "=", namedParameter("userId")),
  )
  const remove = prepareDelete(store, "unlinkAccount", { plain, returning, read })
  return {
    updateAccount: buildUpdateAccount(store, read),
    async linkAccount(account) {
      const row = encodeRecord(codecs, "Account", account)
      await insert({ ...row, id: crypto.randomUUID() })
      return accountFromRow(codecs, row)
    },
    async getAccount(providerAccountId, provider) {
      const row = await find(toAccountKeyValues(store, provider, providerAccountId))
      return row && accountFromRow(codecs, row)
    },
    async listAccounts(userId) {
      const { rows } = await list({ userId: toLookupId(codecs, userId, "Account.userId") })
      return rows.map((row) => accountFromRow(codecs, row))
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const row = await remove(toAccountKeyValues(store, provider, providerAccountId))
      return row === null ? undefined : accountFromRow(codecs, row)
    },
  }
}

function buildUpdateAccount(
  store: Store,
  read: (query: QueryBuilder) => Compilable,
): AccountMethods["updateAccount"] {
  const { codecs, columns } = store
  const plain = (query: QueryBuilder, fields: readonly string[]) =>
    whereAccount(
      store,
      query.updateTable("Account").set(columns.namedParameters("Account", fields)),
    )
  const change = preparePartialUpdate(store, "updateAccount", {
    read,
    plain,
    returning: (query, fields) =>
      plain(query, fields).returning(columns.selections("Account", accountFields)),
  })
  return async ({ provider, providerAccountId, ...changes }) => {
    const row = await change(
      encodeRecord(codecs, "Account", changes),
      toAccountKeyValues(store, provider, providerAccountId),
    )
    return row && accountFromRow(codecs, row)
  }
}

/** Limits a statement to one account. */
function whereAccount<Statement extends { where(...condition: unknown[]): Statement }>(
  { columns }: Store,
  statement: Statement,
): Statement {
  return statement
    .where(columns.ref("Account", "provider"), "=", namedParameter("provider"))
    .where(columns.ref("Account", "providerAccountId"), "=", namedParameter("providerAccountId"))
}

// If no row can have a part, it becomes NULL, which equals nothing.
function toAccountKeyValues(
  { codecs }: Store,
  provider: unknown,
  providerAccountId: unknown,
): ParameterValues {
  return {
    provider: toLookupText(codecs, provider, "Account.provider"),
    providerAccountId: toLookupText(codecs, providerAccountId, "Account.providerAccountId"),
  }
}
