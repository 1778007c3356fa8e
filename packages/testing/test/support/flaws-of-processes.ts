/** Ways in which an adapter can overlook other processes, by the case of the suite that has to notice. */
import type { AdapterSession, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import type { Flaw } from "./flaw.ts"

type Found = { session: AdapterSession; user: AdapterUser }

export const processFlaws: Readonly<Record<string, Flaw>> = {
  "a user whom one adapter has stored, with account and session, is known to another": (good) => ({
    second: { ...good, getUserByAccount: async () => null },
  }),
  "what another adapter changes of a user or a session is seen at once": (good) => {
    const remembered = new Map<string, AdapterUser>()
    return {
      getUser: async (id) => {
        const found = remembered.get(id) ?? (await good.getUser(id))
        if (found) remembered.set(id, found)
        return found
      },
      updateUser: (user) => {
        remembered.delete(user.id)
        return good.updateUser(user)
      },
      deleteUser: (id) => {
        remembered.delete(id)
        return good.deleteUser(id)
      },
    }
  },
  "a session that one adapter deletes is gone for another at once": (good) => {
    const remembered = new Map<string, Found>()
    return {
      getSessionAndUser: async (token) => {
        const found = (await good.getSessionAndUser(token)) ?? remembered.get(token) ?? null
        if (found) remembered.set(token, found)
        return found
      },
      deleteSession: (token) => {
        remembered.delete(token)
        return good.deleteSession(token)
      },
      deleteSessions: (id, options) => {
        remembered.clear()
        return good.deleteSessions(id, options)
      },
      deleteUser: (id) => {
        remembered.clear()
        return good.deleteUser(id)
      },
    }
  },
  "an e-mail token that one adapter has stored can be used with another, once in all": (good) => {
    const kept = new Map<string, VerificationToken>()
    return {
      createVerificationToken: (token) => {
        kept.set(`${token.identifier} ${token.token}`, token)
        return good.createVerificationToken(token)
      },
      useVerificationToken: async (key) => {
        const used = await good.useVerificationToken(key)
        const own = kept.get(`${key.identifier} ${key.token}`) ?? null
        kept.delete(`${key.identifier} ${key.token}`)
        return used ?? own
      },
    }
  },
}
