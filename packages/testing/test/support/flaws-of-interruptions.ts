/** Ways in which an adapter can do things by half, by the case of the suite that has to notice. */
import type { Flaw } from "./flaw.ts"
import { hushed } from "./hushed.ts"

const rest = "interrupted anywhere, is done or not done, and can be repeated"
const reading = "interrupted anywhere, finds what is there or rejects"

export const interruptionFlaws: Readonly<Record<string, Flaw>> = {
  [`createUser, ${rest}`]: (good) => ({
    createUser: (user) => hushed(() => good.createUser(user), user),
  }),
  [`createUserWithAccount, ${rest}`]: (good) => ({
    createUserWithAccount: async (user, account) => {
      if (await good.getUserByAccount(account)) throw new Error("UNIQUE constraint failed")
      const created = await good.createUser(user)
      await good.linkAccount({ ...account, userId: created.id })
      return created
    },
  }),
  [`updateUser, ${rest}`]: (good) => ({
    updateUser: async ({ id, ...changes }) => {
      for (const [name, value] of Object.entries(changes)) {
        await good.updateUser({ id, [name]: value })
      }
      return good.updateUser({ id })
    },
  }),
  [`deleteUser, ${rest}`]: (good, db) => ({
    deleteUser: async (id) => {
      for (const { sessionToken } of db.sessionsOf(id)) await good.deleteSession(sessionToken)
      await good.deleteUser(id)
    },
  }),
  [`linkAccount, ${rest}`]: (good) => ({
    linkAccount: (account) => hushed(() => good.linkAccount(account), undefined),
  }),
  [`unlinkAccount, ${rest}`]: (good) => ({
    unlinkAccount: (key) => hushed(() => good.unlinkAccount(key), undefined),
  }),
  [`updateAccount, ${rest}`]: (good) => ({
    updateAccount: async ({ provider, providerAccountId, ...changes }) => {
      for (const [name, value] of Object.entries(changes)) {
        await good.updateAccount({ provider, providerAccountId, [name]: value })
      }
      return good.updateAccount({ provider, providerAccountId })
    },
  }),
  [`createSession, ${rest}`]: (good) => ({
    createSession: (session) => hushed(() => good.createSession(session), session),
  }),
  [`updateSession, ${rest}`]: (good) => ({
    updateSession: async (changes) => {
      const found = await good.getSessionAndUser(changes.sessionToken)
      if (found === null) return null
      await good.deleteSession(changes.sessionToken)
      return good.createSession({ ...found.session, ...changes })
    },
  }),
  [`deleteSession, ${rest}`]: (good) => ({
    deleteSession: (token) => hushed(() => good.deleteSession(token), undefined),
  }),
  [`deleteSessions, ${rest}`]: (good, db) => ({
    deleteSessions: async (id, { except } = {}) => {
      const ended = db.sessionsOf(id).filter(({ sessionToken }) => sessionToken !== except)
      for (const { sessionToken } of ended) await good.deleteSession(sessionToken)
      return ended.length
    },
  }),
  [`createVerificationToken, ${rest}`]: (good) => ({
    createVerificationToken: (token) => hushed(() => good.createVerificationToken(token), token),
  }),
  "useVerificationToken, interrupted anywhere, gives the token once at most": (good, db) => ({
    useVerificationToken: async (key) => {
      const row = db.verificationToken(key)
      const token = row ? { ...row } : null
      return hushed(() => good.useVerificationToken(key), token)
    },
  }),
  [`createAuthenticator, ${rest}`]: (good) => ({
    createAuthenticator: (passkey) => hushed(() => good.createAuthenticator(passkey), passkey),
  }),
  [`updateAuthenticatorCounter, ${rest}`]: (good, db) => ({
    updateAuthenticatorCounter: (id, counter) => {
      const row = db.authenticator(id)
      if (row === undefined) throw new Error("no such row")
      return hushed(() => good.updateAuthenticatorCounter(id, counter), { ...row, counter })
    },
  }),
  [`getUser, ${reading}`]: (good) => ({ getUser: (id) => hushed(() => good.getUser(id), null) }),
  [`getUserByEmail, ${reading}`]: (good) => ({
    getUserByEmail: (email) => hushed(() => good.getUserByEmail(email), null),
  }),
  [`getUserByAccount, ${reading}`]: (good) => ({
    getUserByAccount: (key) => hushed(() => good.getUserByAccount(key), null),
  }),
  [`getSessionAndUser, ${reading}`]: (good) => ({
    getSessionAndUser: (token) => hushed(() => good.getSessionAndUser(token), null),
  }),
}
