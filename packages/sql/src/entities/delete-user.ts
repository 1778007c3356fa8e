import type { Adapter } from "@latchkey/core/adapters"
import { prepareFindFirst } from "../row-statements.ts"
import { toLookupId } from "../schema/encode-value.ts"
import type { EntityName } from "../schema/tables.ts"
import { bindParameters, namedParameter } from "../statement-template.ts"
import { createLazyTemplate, type QueryBuilder, type Store } from "../store.ts"
import { userFromRow } from "./user-row.ts"
import { selectUserById } from "./users.ts"

/**
 * Removes a user with all related rows. Foreign keys would remove most of them, but adopted tables need not have any,
 * and e-mail tokens refer only to the address.
 */
export function createDeleteUserMethods(store: Store): Required<Pick<Adapter, "deleteUser">> {
  const { codecs } = store
  const read = prepareFindFirst(store, "deleteUser", selectUserById(store))
  const removals = createDeletionQueries(store).map((build) => createLazyTemplate(store, build))
  return {
    async deleteUser(id) {
      const values = { id: toLookupId(codecs, id, "User.id") }
      const row = await read(values)
      if (row === null) return null
      const results = await store.transaction(
        "deleteUser",
        removals.map((removal) => bindParameters(removal(), values)),
      )
      // Of several concurrent callers, one deletes the row.
      return results.at(-1)?.affected === 0 ? null : userFromRow(store, row)
    },
  }
}

function createDeletionQueries({ columns, sessionRecords, secondFactor }: Store) {
  const tokens = (query: QueryBuilder) =>
    query.deleteFrom("VerificationToken").where(
      columns.ref("VerificationToken", "identifier"),
      "=",
      query
        .selectFrom("User")
        .select(columns.selections("User", ["email"]))
        .where(columns.ref("User", "id"), "=", namedParameter("id")),
    )
  const owned: EntityName[] = ["Account", "Session", "Authenticator"]
  if (sessionRecords) owned.push("LatchkeySessionRecord")
  if (secondFactor) owned.push("LatchkeyFactor")
  const belongings = owned.map(
    (entity) => (query: QueryBuilder) =>
      query.deleteFrom(entity).where(columns.ref(entity, "userId"), "=", namedParameter("id")),
  )
  const user = (query: QueryBuilder) =>
    query.deleteFrom("User").where(columns.ref("User", "id"), "=", namedParameter("id"))
  return [tokens, ...belongings, user]
}
