/** Ways in which an adapter can overlook other processes, by the case of the suite that has to notice. */
import type { AdapterSession, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import type { Flaw } from "./flaw.ts"

type SessionAndUser = { session: AdapterSession; user: AdapterUser }

export const processFlaws: Readonly<Record<string, Flaw>> = {
  "a user whom one adapter has stored, with account and session, is known to another": (good) => ({
    second: { ...good, getUserByAccount: async () => null },
  }),
  "what another adapter changes of a user or a session is seen at once": (good) => {
    const cachedUsers = new Map<string, AdapterUser>()
    return {
      getUser: async (id) => {
        const found = cachedUsers.get(id) ?? (await good.getUser(id))
        if (found) cachedUsers.set(id, found)
        return found
      },
      updateUser: (user) => {
        cachedUsers.delete(user.id)
        return good.updateUser(user)
      },
      deleteUser: (id) => {
        cachedUsers.delete(id)
        return good.deleteUser(id)
      },
    }
  },
  "a session that one adapter deletes is gone for another at once": (good) => {
    const cachedSessions = new Map<string, SessionAndUser>()
    return {
      getSessionAndUser: async (token) => {
        const found = (await good.getSessionAndUser(token)) ?? cachedSessions.get(token) ?? null
        if (found) cachedSessions.set(token, found)
        return found
      },
      deleteSession: (token) => {
        cachedSessions.delete(token)
        return good.deleteSession(token)
      },
      deleteSessions: (id, options) => {
        cachedSessions.clear()
        return good.deleteSessions(id, options)
      },
      deleteUser: (id) => {
        cachedSessions.clear()
        return good.deleteUser(id)
      },
    }
  },
  "an e-mail token that one adapter has stored can be used with another, once in all": (good) => {
    const cachedTokens = new Map<string, VerificationToken>()
    return {
      createVerificationToken: (token) => {
        cachedTokens.set(`${token.identifier} ${token.token}`, token)
        return good.createVerificationToken(token)
      },
      useVerificationToken: async (key) => {
        const used = await good.useVerificationToken(key)
        const cached = cachedTokens.get(`${key.identifier} ${key.token}`) ?? null
        cachedTokens.delete(`${key.identifier} ${key.token}`)
        return used ?? cached
      },
    }
  },
}
