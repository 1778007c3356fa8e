/** Ways in which methods that are optional can be wrong, by the case of the suite that has to notice. */
import type { Flaw } from "./flaw.ts"

export const optionalMethodFlaws: Readonly<Record<string, Flaw>> = {
  "createUserWithAccount stores the user and the account, which gets the user's id": (good) => ({
    createUserWithAccount: async (user, account) => {
      await good.createUserWithAccount(user, account)
      return user
    },
  }),
  "createUserWithAccount stores neither when the account is taken": (good) => ({
    createUserWithAccount: async (user, account) => {
      if (await good.getUserByAccount(account)) await good.createUser(user)
      return good.createUserWithAccount(user, account)
    },
  }),
  "createUserWithAccount stores neither when the address is taken": (good) => ({
    createUserWithAccount: async (user, account) => {
      const known = await good.getUserByEmail(user.email)
      if (known === null) return good.createUserWithAccount(user, account)
      await good.linkAccount({ ...account, userId: known.id })
      return known
    },
  }),
  "updateAccount changes what is given of an account, and nothing else; null for an unknown one": (
    good,
  ) => ({
    updateAccount: (account) => good.updateAccount({ refresh_token: "", ...account }),
  }),
  "listSessions gives the sessions of a user that have not expired, and no others": (good) => {
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
  "deleteSessions ends the sessions of a user, all but the given one, and counts them": (good) => ({
    deleteSessions: (userId) => good.deleteSessions(userId),
  }),
  "deleteExpired removes what expired before the date, no more at once than it is told, and counts":
    (good) => ({
      deleteExpired: (before) => good.deleteExpired(before, Number.POSITIVE_INFINITY),
    }),
}
