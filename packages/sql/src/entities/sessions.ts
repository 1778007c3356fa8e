import type { Adapter } from "@latchkey/core/adapters"
import { sql } from "kysely"
import { slot } from "../query.ts"
import { date } from "../schema/read.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { changingBlindly, removing } from "../touching.ts"
import { insertion } from "./insertion.ts"
import { sessionFields, sessionFromRow, sessionToRow, tokenOf } from "./session-row.ts"
import { userFields, userFromRow } from "./user-row.ts"

type SessionMethods = Required<
  Pick<Adapter, "createSession" | "deleteSession" | "getSessionAndUser" | "updateSession">
>

/**
 * The methods for single sessions.
 * @param kept called after a session was stored
 */
export function sessions(store: Store, kept: () => void): SessionMethods {
  const { codecs } = store
  const insert = prepared(store, "createSession", insertion(store, "Session", sessionFields))
  const remove = deletion(store)
  const update = updates(store)
  return {
    getSessionAndUser: sessionCheck(store),
    async createSession(session) {
      const row = sessionToRow(codecs, session)
      await insert({ ...row, id: crypto.randomUUID() })
      kept()
      return sessionFromRow(codecs, row)
    },
    async updateSession({ sessionToken: token, ...changes }) {
      const sessionToken = tokenOf(codecs, token)
      if (sessionToken === null) return null
      const row = await update({ ...sessionToRow(codecs, changes), sessionToken })
      return row && sessionFromRow(codecs, row)
    },
    async deleteSession(token) {
      const sessionToken = tokenOf(codecs, token)
      const row = sessionToken === null ? null : await remove({ sessionToken })
      return row && sessionFromRow(codecs, row)
    },
  }
}

/** The check of every request: one statement, that the driver has prepared. */
function sessionCheck(store: Store): SessionMethods["getSessionAndUser"] {
  const { codecs, columns } = store
  const find = prepared(store, "getSessionAndUser", (query) =>
    query
      .selectFrom("Session")
      .innerJoin("User", (join) =>
        join.on(columns.in("User", "id"), "=", columns.in("Session", "userId")),
      )
      .select(columns.readFrom("User", userFields(store)))
      // No field of a user can have such a name.
      .select(columns.readFrom("Session", ["expires"], (field) => `$${field}`))
      .where(columns.in("Session", "sessionToken"), "=", slot("sessionToken")),
  )
  return async (token) => {
    const sessionToken = tokenOf(codecs, token)
    if (sessionToken === null) return null
    const { rows } = await find({ sessionToken })
    const [row] = rows
    if (!row) return null
    const user = userFromRow(store, row)
    return {
      session: { sessionToken, userId: user.id, expires: date(row, "$expires", codecs) },
      user,
    }
  }
}

function reading({ columns }: Store) {
  return (query: Query) =>
    query
      .selectFrom("Session")
      .select(columns.read("Session", sessionFields))
      .where(columns.of("Session", "sessionToken"), "=", slot("sessionToken"))
}

function deletion(store: Store): ReturnType<typeof removing> {
  const { columns } = store
  const plain = (query: Query) =>
    query
      .deleteFrom("Session")
      .where(columns.of("Session", "sessionToken"), "=", slot("sessionToken"))
  const returning = (query: Query) => plain(query).returning(columns.read("Session", sessionFields))
  return removing(store, "deleteSession", { plain, returning, read: reading(store) })
}

/** What is not given stays as it is: the values of absent fields are NULL. */
function updates(store: Store): ReturnType<typeof changingBlindly> {
  const { columns } = store
  const kept = Object.entries(columns.slots("Session", ["userId", "expires"])).map(
    ([column, given]) => [column, sql`coalesce(${given}, ${sql.ref(column)})`] as const,
  )
  const plain = (query: Query) =>
    query
      .updateTable("Session")
      .set(Object.fromEntries(kept))
      .where(columns.of("Session", "sessionToken"), "=", slot("sessionToken"))
  const returning = (query: Query) => plain(query).returning(columns.read("Session", sessionFields))
  return changingBlindly(store, "updateSession", { plain, returning, read: reading(store) })
}
