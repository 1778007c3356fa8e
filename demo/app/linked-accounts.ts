/** Accounts at providers that belong to a user, read from Latchkey's own table. */
import type { DatabaseSync } from "node:sqlite"

/** An account at a provider. */
export interface LinkedAccount {
  readonly provider: string
  readonly accountId: string
}

/** Reads the accounts of a user. */
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
