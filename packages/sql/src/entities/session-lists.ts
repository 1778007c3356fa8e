import type { SessionMethods } from "@latchkey/adapter-kit"
import { toLookupId } from "../schema/encode-value.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"
import { sessionFields, sessionFromRow, toSessionToken } from "./session-row.ts"

/** Creates the methods for all sessions of a user. */
export function createSessionListMethods(
  store: Store,
): Pick<SessionMethods, "deleteSessions" | "listSessions"> {
  const { codecs, columns } = store
  const list = prepareStatement(store, "listSessions", (query) =>
    query
      .selectFrom("Session")
      .select(columns.selections("Session", sessionFields))
      .where(columns.ref("Session", "userId"), "=", namedParameter("userId"))
      .where(columns.ref("Session", "expires"), ">", namedParameter("now")),
  )
  const all = (query: QueryBuilder) =>
    query
      .deleteFrom("Session")
      .where(columns.ref("Session", "userId"), "=", namedParameter("userId"))
  const removeAll = prepareStatement(store, "deleteSessions", all)
  const removeOthers = prepareStatement(store, "deleteSessions", (query) =>
    all(query).where(columns.ref("Session", "sessionToken"), "<>", namedParameter("kept")),
  )
  return {
    async listSessions(userId) {
      const now = codecs.date.encode(new Date())
      const { rows } = await list({ userId: toLookupId(codecs, userId, "Session.userId"), now })
      return rows.map((row) => sessionFromRow(codecs, row))
    },
    async deleteSessions(userId, { except } = {}) {
      // If no session can have the token, none is kept.
      const kept = except === undefined ? null : toSessionToken(codecs, except)
      const remove = kept === null ? removeAll : removeOthers
      const { affected } = await remove({
        userId: toLookupId(codecs, userId, "Session.userId"),
        kept,
      })
      return affected
    },
  }
}
