import type { Adapter } from "@latchkey/core/adapters"
import { bind } from "../query.ts"
import { type Store, templateOf } from "../store.ts"
import { accountToRow } from "./account-row.ts"
import { insertAccount } from "./accounts.ts"
import { userFromRow } from "./user-row.ts"
import { insertUser, newUserRow } from "./users.ts"

/** A new user with the account that they came with: both are stored, or neither. */
export function signUps(store: Store): Required<Pick<Adapter, "createUserWithAccount">> {
  const user = templateOf(store, insertUser(store))
  const account = templateOf(store, insertAccount)
  return {
    async createUserWithAccount(newUser, newAccount) {
      const row = newUserRow(store, newUser)
      const linked = accountToRow(store.codecs, { ...newAccount, userId: String(row.id) })
      await store.transaction("createUserWithAccount", [
        bind(user(), row),
        bind(account(), { ...linked, id: crypto.randomUUID() }),
      ])
      return userFromRow(store, row)
    },
  }
}
