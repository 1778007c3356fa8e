/** Flaws of interrupted operations, by the case of the suite that must detect them. */
import type { Flaw } from "./flaw.ts"
import { hideConnectionLoss } from "./hide-connection-loss.ts"

const operationCase = "interrupted, is done or not done, and can be repeated"
const readCase = "interrupted, returns the stored record or rejects"

export const interruptionFlaws: Readonly<Record<string, Flaw>> = {
  [`createUser, ${operationCase}`]: (good) => ({
    createUser: (user) => hideConnectionLoss(() => good.createUser(user), user),
  }),
  [`createUserWithAccount, ${operationCase}`]: (good) => ({
    createUserWithAccount: async (user, account) => {
      if (await good.getUserByAccount(account)) throw new Error("UNIQUE constraint failed")
      const created = await good.createUser(user)
      await good.linkAccount({ ...account, userId: created.id })
      return created
    },
  }),
  [`updateUser, ${operationCase}`]: (good) => ({
    updateUser: async ({ id, ...changes }) => {
      for (const [name, value] of Object.entries(changes)) {
        await good.updateUser({ id, [name]: value })
      }
      return good.updateUser({ id })
    },
  }),
  [`deleteUser, ${operationCase}`]: (good, db) => ({
    deleteUser: async (id) => {
      for (const { sessionToken } of db.sessionsOf(id)) await good.deleteSession(sessionToken)
      await good.deleteUser(id)
    },
  }),
  [`linkAccount, ${operationCase}`]: (good) => ({
    linkAccount: (account) => hideConnectionLoss(() => good.linkAccount(account), undefined),
  }),
  [`unlinkAccount, ${operationCase}`]: (good) => ({
    unlinkAccount: (key) => hideConnectionLoss(() => good.unlinkAccount(key), undefined),
  }),
  [`updateAccount, ${operationCase}`]: (good) => ({
    updateAccount: async ({ provider, providerAccountId, ...changes }) => {
      for (const [name, value] of Object.entries(changes)) {
        await good.updateAccount({ provider, providerAccountId, [name]: value })
      }
      return good.updateAccount({ provider, providerAccountId })
    },
  }),
  [`createSession, ${operationCase}`]: (good) => ({
    createSession: (session) => hideConnectionLoss(() => good.createSession(session), session),
  }),
  [`updateSession, ${operationCase}`]: (good) => ({
    updateSession: async (changes) => {
      const found = await good.getSessionAndUser(changes.sessionToken)
      if (found === null) return null
      await good.deleteSession(changes.sessionToken)
      return good.createSession({ ...found.session, ...changes })
    },
  }),
  [`deleteSession, ${operationCase}`]: (good) => ({
    deleteSession: (token) => hideConnectionLoss(() => good.deleteSession(token), undefined),
  }),
  [`deleteSessions, ${operationCase}`]: (good, db) => ({
    deleteSessions: async (id, { except } = {}) => {
      const ended = db.sessionsOf(id).filter(({ sessionToken }) => sessionToken !== except)
      for (const { sessionToken } of ended) await good.deleteSession(sessionToken)
      return ended.length
    },
  }),
  [`createVerificationToken, ${operationCase}`]: (good) => ({
    createVerificationToken: (token) =>
      hideConnectionLoss(() => good.createVerificationToken(token), token),
  }),
  "useVerificationToken, interrupted, returns the token once at most": (good, db) => ({
    useVerificationToken: async (key) => {
      const row = db.verificationToken(key)
      const token = row ? { ...row } : null
      return hideConnectionLoss(() => good.useVerificationToken(key), token)
    },
  }),
  [`createAuthenticator, ${operationCase}`]: (good) => ({
    createAuthenticator: (passkey) =>
      hideConnectionLoss(() => good.createAuthenticator(passkey), passkey),
  }),
  [`updateAuthenticatorCounter, ${operationCase}`]: (good, db) => ({
    updateAuthenticatorCounter: (id, counter) => {
      const row = db.authenticator(id)
      if (row === undefined) throw new Error("no such row")
      return hideConnectionLoss(() => good.updateAuthenticatorCounter(id, counter), {
        ...row,
        counter,
      })
    },
  }),
  [`getUser, ${readCase}`]: (good) => ({
    getUser: (id) => hideConnectionLoss(() => good.getUser(id), null),
  }),
  [`getUserByEmail, ${readCase}`]: (good) => ({
    getUserByEmail: (email) => hideConnectionLoss(() => good.getUserByEmail(email), null),
  }),
  [`getUserByAccount, ${readCase}`]: (good) => ({
    getUserByAccount: (key) => hideConnectionLoss(() => good.getUserByAccount(key), null),
  }),
  [`getSessionAndUser, ${readCase}`]: (good) => ({
    getSessionAndUser: (token) => hideConnectionLoss(() => good.getSessionAndUser(token), null),
  }),
}
