import type { Adapter } from "@latchkey/core/adapters"
import { bind, slot } from "../query.ts"
import { lookupId } from "../schema/stored.ts"
import { type Query, type Store, templateOf } from "../store.ts"
import { first } from "../touching.ts"
import { userFromRow } from "./user-row.ts"
import { readUser } from "./users.ts"

/**
 * Removes a user with everything that is theirs. Foreign keys would see to most of it, but tables that were adopted
 * need not have them; e-mail tokens know only the address.
 */
export function deletion(store: Store): Required<Pick<Adapter, "deleteUser">> {
  const { codecs } = store
  const read = first(store, "deleteUser", readUser(store))
  const removals = statements(store).map((build) => templateOf(store, build))
  return {
    async deleteUser(id) {
      const values = { id: lookupId(codecs, id, "User.id") }
      const row = await read(values)
      if (row === null) return null
      await store.transaction(
        "deleteUser",
        removals.map((removal) => bind(removal(), values)),
      )
      return userFromRow(store, row)
    },
  }
}

function statements({ columns }: Store) {
  const tokens = (query: Query) =>
    query.deleteFrom("VerificationToken").where(
      columns.of("VerificationToken", "identifier"),
      "=",
      query
        .selectFrom("User")
        .select(columns.read("User", ["email"]))
        .where(columns.of("User", "id"), "=", slot("id")),
    )
  const belongings = (["Account", "Session", "Authenticator"] as const).map(
    (entity) => (query: Query) =>
      query.deleteFrom(entity).where(columns.of(entity, "userId"), "=", slot("id")),
  )
  const user = (query: Query) =>
    query.deleteFrom("User").where(columns.of("User", "id"), "=", slot("id"))
  return [tokens, ...belongings, user]
}
