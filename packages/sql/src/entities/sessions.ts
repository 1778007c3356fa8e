import { readText, type SessionMethods } from "@latchkey/adapter-kit"
import { sql } from "kysely"
import { prepareDelete, prepareUpdateWithoutRead } from "../row-statements.ts"
import { encodeRecord } from "../schema/encode-value.ts"
import { readDate } from "../schema/read-column.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"
import { createInsertQuery } from "./insert-query.ts"
import { sessionFields, sessionFromRow, toSessionToken } from "./session-row.ts"
import { allUserFields, userFromRow } from "./user-row.ts"

/**
 * Creates the methods for single sessions.
 * @param onStored called after a session was stored
 */
export function createSessionMethods(
  store: Store,
  onStored: () => void,
): Omit<SessionMethods, "deleteSessions" | "listSessions"> {
  const { codecs } = store
  const insert = prepareStatement(
    store,
    "createSession",
    createInsertQuery(store, "Session", sessionFields),
  )
  const remove = prepareDeleteSession(store)
  const update = prepareUpdateSession(store)
  return {
    getSessionAndUser: buildGetSessionAndUser(store),
    async createSession(session) {
      const row = encodeRecord(codecs, "Session", session)
      await insert({ ...row, id: crypto.randomUUID() })
      onStored()
      return sessionFromRow(codecs, row)
    },
    async updateSession({ sessionToken: token, ...changes }) {
      const sessionToken = toSessionToken(codecs, token)
      if (sessionToken === null) return null
      const row = await update({ ...encodeRecord(codecs, "Session", changes), sessionToken })
      return row && sessionFromRow(codecs, row)
    },
    async deleteSession(token) {
      const sessionToken = toSessionToken(codecs, token)
      const row = sessionToken === null ? null : await remove({ sessionToken })
      return row && sessionFromRow(codecs, row)
    },
  }
}

/** Every request runs this: one prepared statement. */
function buildGetSessionAndUser(store: Store): SessionMethods["getSessionAndUser"] {
  const { codecs, columns } = store
  const find = prepareStatement(store, "getSessionAndUser", (query) =>
    query
      .selectFrom("Session")
      .innerJoin("User", (join) =>
        join.on(columns.qualifiedRef("User", "id"), "=", columns.qualifiedRef("Session", "userId")),
      )
      .select(columns.qualifiedSelections("User", allUserFields(store)))
      // No field of a user can have such a name.
      .select(
        columns.qualifiedSelections("Session", ["sessionToken", "expires"], (field) => `$${field}`),
      )
      .where(columns.qualifiedRef("Session", "sessionToken"), "=", namedParameter("sessionToken")),
  )
  return async (token) => {
    const sessionToken = toSessionToken(codecs, token)
    if (sessionToken === null) return null
    const { rows } = await find({ sessionToken })
    const [row] = rows
    if (!row) return null
    const user = userFromRow(store, row)
    // The stored token: the collation of the column may treat another one as equal.
    const storedToken = readText(row, "$sessionToken")
    const expires = readDate(row, "$expires", codecs)
    return { session: { sessionToken: storedToken, userId: user.id, expires }, user }
  }
}

function selectSession({ columns }: Store) {
  return (query: QueryBuilder) =>
    query
      .selectFrom("Session")
      .select(columns.selections("Session", sessionFields))
      .where(columns.ref("Session", "sessionToken"), "=", namedParameter("sessionToken"))
}

function prepareDeleteSession(store: Store): ReturnType<typeof prepareDelete> {
  const { columns } = store
  const plain = (query: QueryBuilder) =>
    query
      .deleteFrom("Session")
      .where(columns.ref("Session", "sessionToken"), "=", namedParameter("sessionToken"))
  const returning = (query: QueryBuilder) =>
    plain(query).returning(columns.selections("Session", sessionFields))
  return prepareDelete(store, "deleteSession", { plain, returning, read: selectSession(store) })
}

/** Undefined fields keep their values: their parameters are NULL. */
function prepareUpdateSession(store: Store): ReturnType<typeof prepareUpdateWithoutRead> {
  const { columns } = store
  const assignments = Object.entries(columns.namedParameters("Session", ["userId", "expires"])).map(
    ([column, value]) => [column, sql`coalesce(${value}, ${sql.ref(column)})`] as const,
  )
  const plain = (query: QueryBuilder) =>
    query
      .updateTable("Session")
      .set(Object.fromEntries(assignments))
      .where(columns.ref("Session", "sessionToken"), "=", namedParameter("sessionToken"))
  const returning = (query: QueryBuilder) =>
    plain(query).returning(columns.selections("Session", sessionFields))
  return prepareUpdateWithoutRead(store, "updateSession", {
    plain,
    returning,
    read: selectSession(store),
  })
}
