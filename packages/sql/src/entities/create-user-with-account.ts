import type { Adapter } from "@latchkey/core/adapters"
import { encodeRecord } from "../schema/encode-value.ts"
import { getInsertedId, InsertedIdReference } from "../statement-batch.ts"
import { bindParameters } from "../statement-template.ts"
import { createLazyTemplate, type Store } from "../store.ts"
import { insertAccount } from "./accounts.ts"
import { userFromRow } from "./user-row.ts"
import { createUserRow, insertUser } from "./users.ts"

/** Stores a new user together with an account, in one transaction. */
export function createSignUpMethods(
  store: Store,
): Required<Pick<Adapter, "createUserWithAccount">> {
  const user = createLazyTemplate(store, insertUser(store))
  const account = createLazyTemplate(store, insertAccount(store))
  return {
    async createUserWithAccount(newUser, { userId: _, ...newAccount }) {
      const row = createUserRow(store, newUser)
      const linked = encodeRecord(store.codecs, "Account", newAccount)
      const userId = row.id ?? new InsertedIdReference(0)
      const [stored] = await store.transaction("createUserWithAccount", [
        bindParameters(user(), row),
        bindParameters(account(), { ...linked, userId, id: crypto.randomUUID() }),
      ])
      return userFromRow(store, { ...row, id: row.id ?? getInsertedId(stored) })
    },
  }
}
