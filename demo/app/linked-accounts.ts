/** The linked accounts of a user, read from Latchkey's table. */
import type { DatabaseSync } from "node:sqlite"

export interface LinkedAccount {
  readonly provider: string
  readonly accountId: string
}

export type ListLinkedAccounts = (userId: string) => readonly LinkedAccount[]

export function createLinkedAccountsQuery(database: DatabaseSync): ListLinkedAccounts {
  const select = database.prepare(
    "select provider, providerAccountId from Account where userId = ? order by rowid",
  )
  return (userId) =>
    select.all(userId).map(({ provider, providerAccountId }) => ({
      provider: String(provider),
      accountId: String(providerAccountId),
    }))
}
