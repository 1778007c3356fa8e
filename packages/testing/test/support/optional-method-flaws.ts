/** Flaws of optional methods, by the case of the suite that must detect them. */
import type { Flaw } from "./flaw.ts"

export const optionalMethodFlaws: Readonly<Record<string, Flaw>> = {
  "createUserWithAccount stores the user, and the account with the user's id": (good) => ({
    createUserWithAccount: async (user, account) => {
      await good.createUserWithAccount(user, account)
      return user
    },
  }),
  "createUserWithAccount stores neither if the account exists": (good) => ({
    createUserWithAccount: async (user, account) => {
      if (await good.getUserByAccount(account)) await good.createUser(user)
      return good.createUserWithAccount(user, account)
    },
  }),
  "createUserWithAccount stores neither if the address is taken": (good) => ({
    createUserWithAccount: async (user, account) => {
      const known = await good.getUserByEmail(user.email)
      if (known === null) return good.createUserWithAccount(user, account)
      await good.linkAccount({ ...account, userId: known.id })
      return known
    },
  }),
  "updateAccount changes only the given fields, and returns null for an unknown account": (
    good,
  ) => ({
    updateAccount: (account) => good.updateAccount({ refresh_token: "", ...account }),
  }),
  "listAccounts returns only the accounts of the user, with their tokens": (good) => ({
    listAccounts: async (userId) =>
      (await good.listAccounts(userId)).map(({ refresh_token: _, ...account }) => account),
  }),
  "listSessions returns only the unexpired sessions of the user": (good) => {
    const tokens = new Set<string>()
    return {
      createSession: (session) => {
        tokens.add(session.sessionToken)
        return good.createSession(session)
      },
      listSessions: async (userId) => {
        const found = await Promise.all([...tokens].map((token) => good.getSessionAndUser(token)))
        return found.flatMap((each) => (each?.user.id === userId ? [each.session] : []))
      },
    }
  },
  "countUnprovenUsers counts users with an address that has no date of its proof": () => ({
    countUnprovenUsers: async () => 1,
  }),
  "deleteSessions ends all sessions of a user except the given one, and returns their number": (
    good,
  ) => ({
    deleteSessions: (userId) => good.deleteSessions(userId),
  }),
  "deleteExpired removes rows that expired before the date, up to the limit, and returns their number":
    (good) => ({
      deleteExpired: (before, limit) =>
        good.deleteExpired(before, before.getUTCFullYear() < 1999 ? limit : 1_000_000),
    }),
}
