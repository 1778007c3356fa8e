import type { SessionMethods } from "@latchkey/adapter-kit"
import { toAdapterSession, toAdapterUser, toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"

/** In characters. Longer tokens are never issued, and not sent to the database. */
const maxTokenLength = 255

export function createSessionMethods(store: Store): SessionMethods {
  const { Session } = store.entities
  return {
    async createSession(session) {
      const data = toEntityData(store, "Session", session)
      const created = await store.write("createSession", async (em) =>
        em.create(Session, data, { persist: true }),
      )
      return toAdapterSession(store, created)
    },
    async getSessionAndUser(sessionToken) {
      if (!isSessionToken(sessionToken)) return null
      const session = await store.run("getSessionAndUser", (em) =>
        em.findOne(
          Session,
          { sessionToken },
          { ...freshReadOptions, populate: ["user"], strategy: "joined" },
        ),
      )
      return (
        session && {
          session: toAdapterSession(store, session),
          user: toAdapterUser(store, session.user),
        }
      )
    },
    /** Updates with one statement, so that a session that is deleted meanwhile is not restored. */
    async updateSession({ sessionToken, ...changes }) {
      if (!isSessionToken(sessionToken)) return null
      const data = toEntityData(store, "Session", changes)
      const isUnchanged = Object.keys(data).length === 0
      const count = await store.run("updateSession", (em) =>
        isUnchanged
          ? em.count(Session, { sessionToken }, freshReadOptions)
          : em.nativeUpdate(Session, { sessionToken }, data),
      )
      return count === 0 ? null : undefined
    },
    async deleteSession(sessionToken) {
      if (!isSessionToken(sessionToken)) return
      await store.run("deleteSession", (em) => em.nativeDelete(Session, { sessionToken }))
    },
    async listSessions(userId) {
      if (!isLookupText(userId)) return []
      const where = { user: userId, expires: { $gt: new Date() } }
      const found = await store.run("listSessions", (em) =>
        em.find(Session, where, freshReadOptions),
      )
      return found.map((session) => toAdapterSession(store, session))
    },
    async deleteSessions(userId, { except } = {}) {
      if (!isLookupText(userId)) return 0
      // If no session can have the token, none is kept.
      const others = isSessionToken(except) ? { sessionToken: { $ne: except } } : {}
      return store.run("deleteSessions", (em) =>
        em.nativeDelete(Session, { user: userId, ...others }),
      )
    },
  }
}

function isSessionToken(token: unknown): token is string {
  return isLookupText(token) && token.length <= maxTokenLength
}
