import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import type { Codecs, Row } from "../engine.ts"
import { slot, slots } from "../query.ts"
import { date, text } from "../schema/read.ts"
import { lookup, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { first, removing, updating } from "../touching.ts"
import { userColumns, userFromRow } from "./user-row.ts"

type SessionMethods = Required<
  Pick<Adapter, "createSession" | "deleteSession" | "getSessionAndUser" | "updateSession">
>

/** A longer token is no token of ours, and is not sent to the database. In characters. */
const longestToken = 512
const columns = ["sessionToken", "userId", "expires"] as const

/** The methods for sessions. */
export function sessions(store: Store): SessionMethods {
  const { codecs } = store
  const insert = prepared(store, "createSession", (query) =>
    query.insertInto("Session").values(slots(["id", ...columns])),
  )
  const remove = deletion(store)
  const update = updates(store)
  return {
    getSessionAndUser: sessionCheck(store),
    async createSession(session) {
      if (tokenOf(session.sessionToken) === null) {
        throw new TypeError(
          `Session.sessionToken must be text of ${longestToken} characters at most.`,
        )
      }
      const row = sessionToRow(codecs, session)
      await insert({ ...row, id: crypto.randomUUID() })
      return sessionFromRow(codecs, row)
    },
    async updateSession(session) {
      const sessionToken = tokenOf(session.sessionToken)
      if (sessionToken === null) return null
      const row = await update({ ...sessionToRow(codecs, session), sessionToken })
      return row && sessionFromRow(codecs, row)
    },
    async deleteSession(token) {
      const sessionToken = tokenOf(token)
      const row = sessionToken === null ? null : await remove({ sessionToken })
      return row && sessionFromRow(codecs, row)
    },
  }
}

/** The check of every request: one statement, that the driver has prepared. */
function sessionCheck(store: Store): SessionMethods["getSessionAndUser"] {
  const { codecs } = store
  const find = first(store, "getSessionAndUser", (query) =>
    query
      .selectFrom("Session")
      .innerJoin("User", "User.id", "Session.userId")
      .select(userColumns(store).map((column) => `User.${column}` as const))
      // No field of a user can have such a name.
      .select("Session.expires as $expires")
      .where("Session.sessionToken", "=", slot("sessionToken")),
  )
  return async (token) => {
    const sessionToken = tokenOf(token)
    if (sessionToken === null) return null
    const row = await find({ sessionToken })
    if (row === null) return null
    const user = userFromRow(store, row)
    return {
      session: { sessionToken, userId: user.id, expires: date(row, "$expires", codecs) },
      user,
    }
  }
}

function deletion(store: Store): ReturnType<typeof removing> {
  const plain = (query: Query) =>
    query.deleteFrom("Session").where("sessionToken", "=", slot("sessionToken"))
  const returning = (query: Query) => plain(query).returning(columns)
  return removing(store, "deleteSession", { plain, returning, read: reading })
}

/** What is not given stays as it is: the values of absent fields are NULL. */
function updates(store: Store): ReturnType<typeof updating> {
  const plain = (query: Query) =>
    query
      .updateTable("Session")
      .set((expression) => ({
        userId: expression.fn.coalesce(slot("userId"), "userId"),
        expires: expression.fn.coalesce(slot("expires"), "expires"),
      }))
      .where("sessionToken", "=", slot("sessionToken"))
  const returning = (query: Query) => plain(query).returning(columns)
  return updating(store, "updateSession", { plain, returning, read: reading })
}

const reading = (query: Query) =>
  query.selectFrom("Session").select(columns).where("sessionToken", "=", slot("sessionToken"))

function tokenOf(value: unknown): string | null {
  const token = lookup(value, "Session.sessionToken")
  return token !== null && token.length <= longestToken ? token : null
}

function sessionToRow(codecs: Codecs, session: Partial<AdapterSession>): Record<string, unknown> {
  return {
    sessionToken: stored(codecs, "Session.sessionToken", "key", session.sessionToken),
    userId: stored(codecs, "Session.userId", "key", session.userId),
    expires: stored(codecs, "Session.expires", "date", session.expires),
  }
}

function sessionFromRow(codecs: Codecs, row: Row): AdapterSession {
  return {
    sessionToken: text(row, "sessionToken"),
    userId: text(row, "userId"),
    expires: date(row, "expires", codecs),
  }
}
