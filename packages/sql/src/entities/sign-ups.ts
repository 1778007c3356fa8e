import type { Adapter } from "@latchkey/core/adapters"
import { Earlier, storedId } from "../earlier.ts"
import { bind } from "../query.ts"
import { type Store, templateOf } from "../store.ts"
import { accountToRow } from "./account-row.ts"
import { insertAccount } from "./accounts.ts"
import { userFromRow } from "./user-row.ts"
import { insertUser, newUserRow } from "./users.ts"

/** A new user with the account that they came with: both are stored, or neither. */
export function signUps(store: Store): Required<Pick<Adapter, "createUserWithAccount">> {
  const user = templateOf(store, insertUser(store))
  const account = templateOf(store, insertAccount(store))
  return {
    async createUserWithAccount(newUser, { userId: _, ...newAccount }) {
      const row = newUserRow(store, newUser)
      const linked = accountToRow(store.codecs, newAccount)
      const userId = row.id ?? new Earlier(0)
      const [stored] = await store.transaction("createUserWithAccount", [
        bind(user(), row),
        bind(account(), { ...linked, userId, id: crypto.randomUUID() }),
      ])
      return userFromRow(store, { ...row, id: row.id ?? storedId(stored) })
    },
  }
}
