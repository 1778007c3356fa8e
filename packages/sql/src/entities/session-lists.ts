import type { Adapter } from "@latchkey/core/adapters"
import { slot } from "../query.ts"
import { lookupId } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { sessionFields, sessionFromRow, tokenOf } from "./session-row.ts"

/** The methods for all sessions of a user. */
export function sessionLists(
  store: Store,
): Required<Pick<Adapter, "deleteSessions" | "listSessions">> {
  const { codecs, columns } = store
  const list = prepared(store, "listSessions", (query) =>
    query
      .selectFrom("Session")
      .select(columns.read("Session", sessionFields))
      .where(columns.of("Session", "userId"), "=", slot("userId"))
      .where(columns.of("Session", "expires"), ">", slot("now")),
  )
  const all = (query: Query) =>
    query.deleteFrom("Session").where(columns.of("Session", "userId"), "=", slot("userId"))
  const removeAll = prepared(store, "deleteSessions", all)
  const removeOthers = prepared(store, "deleteSessions", (query) =>
    all(query).where(columns.of("Session", "sessionToken"), "<>", slot("kept")),
  )
  return {
    async listSessions(userId) {
      const now = codecs.date.encode(new Date())
      const { rows } = await list({ userId: lookupId(codecs, userId, "Session.userId"), now })
      return rows.map((row) => sessionFromRow(codecs, row))
    },
    async deleteSessions(userId, { except } = {}) {
      // A token that no session can have keeps none.
      const kept = except === undefined ? null : tokenOf(codecs, except)
      const remove = kept === null ? removeAll : removeOthers
      const { affected } = await remove({
        userId: lookupId(codecs, userId, "Session.userId"),
        kept,
      })
      return affected
    },
  }
}
