import type { Adapter } from "@latchkey/core/adapters"
import { dataOf, sessionOf, userOf } from "../records.ts"
import { fresh, type Store } from "../store.ts"
import { isName } from "../values.ts"

type SessionMethods = Required<
  Pick<
    Adapter,
    | "createSession"
    | "deleteSession"
    | "deleteSessions"
    | "getSessionAndUser"
    | "listSessions"
    | "updateSession"
  >
>

/** A longer token is no token of ours, and is not sent to the database. In characters. */
const longestToken = 255

/** The methods for sessions. */
export function sessions(store: Store): SessionMethods {
  const { Session } = store.entities
  return {
    async createSession(session) {
      const data = dataOf(store, "Session", session)
      const created = await store.write("createSession", async (em) =>
        em.create(Session, data, { persist: true }),
      )
      return sessionOf(store, created)
    },
    async getSessionAndUser(sessionToken) {
      if (!isToken(sessionToken)) return null
      const session = await store.run("getSessionAndUser", (em) =>
        em.findOne(Session, { sessionToken }, { ...fresh, populate: ["user"], strategy: "joined" }),
      )
      return session && { session: sessionOf(store, session), user: userOf(store, session.user) }
    },
    /** One statement, so that a session that is deleted meanwhile does not come back; and no second one to read it. */
    async updateSession({ sessionToken, ...changes }) {
      if (!isToken(sessionToken)) return null
      const data = dataOf(store, "Session", changes)
      const nothing = Object.keys(data).length === 0
      const count = await store.run("updateSession", (em) =>
        nothing
          ? em.count(Session, { sessionToken }, fresh)
          : em.nativeUpdate(Session, { sessionToken }, data),
      )
      return count === 0 ? null : undefined
    },
    async deleteSession(sessionToken) {
      if (!isToken(sessionToken)) return
      await store.run("deleteSession", (em) => em.nativeDelete(Session, { sessionToken }))
    },
    async listSessions(userId) {
      if (!isName(userId)) return []
      const where = { user: userId, expires: { $gt: new Date() } }
      const found = await store.run("listSessions", (em) => em.find(Session, where, fresh))
      return found.map((session) => sessionOf(store, session))
    },
    async deleteSessions(userId, { except } = {}) {
      if (!isName(userId)) return 0
      // A token that no session can have keeps none.
      const others = isToken(except) ? { sessionToken: { $ne: except } } : {}
      return store.run("deleteSessions", (em) =>
        em.nativeDelete(Session, { user: userId, ...others }),
      )
    },
  }
}

function isToken(token: unknown): token is string {
  return isName(token) && token.length <= longestToken
}
