/** Flaws with several processes, by the case of the suite that must detect them. */
import type { AdapterSession, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import type { Flaw } from "./flaw.ts"

type SessionAndUser = { session: AdapterSession; user: AdapterUser }

export const processFlaws: Readonly<Record<string, Flaw>> = {
  "another adapter finds a stored user, account and session": (good) => ({
    second: { ...good, getUserByAccount: async () => null },
  }),
  "changes by another adapter are visible at once": (good) => {
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
  "a session that another adapter deletes has ended at once": (good) => {
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
  "an e-mail token can be used once, with any adapter": (good) => {
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
