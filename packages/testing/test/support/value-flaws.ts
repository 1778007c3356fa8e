/** Flaws in storing values, by the case of the suite that must detect them. */
import type { Flaw } from "./flaw.ts"

const replaceFourByteCharacters = (text: string): string =>
  text.replace(/[\u{10000}-\u{10FFFF}]/gu, "?")
const removeAccents = (text: string): string => text.normalize("NFD").replace(/\p{Diacritic}/gu, "")
const truncateToSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)
const max32BitDate = new Date("2038-01-19T03:14:07.000Z")

export const valueFlaws: Readonly<Record<string, Flaw>> = {
  "texts in every script are stored unchanged, including characters of four bytes": (good) => ({
    createUser: (user) =>
      good.createUser({ ...user, name: user.name ? replaceFourByteCharacters(user.name) : null }),
  }),
  "e-mail tokens for addresses in any script are stored unchanged": (good) => ({
    createVerificationToken: (token) =>
      good.createVerificationToken({
        ...token,
        identifier: replaceFourByteCharacters(token.identifier),
      }),
  }),
  "addresses that differ by an accent are different addresses": (good) => {
    const known = new Map<string, string>()
    return {
      createUser: (user) => {
        known.set(removeAccents(user.email ?? ""), user.email)
        return good.createUser(user)
      },
      getUserByEmail: (email) => good.getUserByEmail(known.get(removeAccents(email)) ?? email),
    }
  },
  "account ids that differ by an accent, by case or by a trailing space are different": (good) => ({
    linkAccount: (account) => {
      const providerAccountId = account.providerAccountId.trimEnd()
      return good.linkAccount({ ...account, providerAccountId })
    },
    getUserByAccount: ({ provider, providerAccountId }) =>
      good.getUserByAccount({ provider, providerAccountId: providerAccountId.trimEnd() }),
  }),
  "session tokens that differ by case or by a trailing space are different": (good) => ({
    createSession: async (session) => {
      await good.createSession({ ...session, sessionToken: session.sessionToken.toLowerCase() })
      return session
    },
    getSessionAndUser: async (sessionToken) => {
      const found = await good.getSessionAndUser(sessionToken.toLowerCase())
      return found && { ...found, session: { ...found.session, sessionToken } }
    },
  }),
  "dates keep their milliseconds": (good) => ({
    updateSession: ({ expires = new Date(), ...session }) =>
      good.updateSession({ ...session, expires: truncateToSeconds(expires) }),
  }),
  "dates of e-mail tokens keep their milliseconds": (good) => ({
    createVerificationToken: (token) =>
      good.createVerificationToken({ ...token, expires: truncateToSeconds(token.expires) }),
  }),
  "sessions can expire after the year 2038": (good) => ({
    updateSession: ({ expires = new Date(), ...session }) =>
      good.updateSession({ ...session, expires: expires < max32BitDate ? expires : max32BitDate }),
  }),
  "expired sessions are still returned": (good) => ({
    getSessionAndUser: async (sessionToken) => {
      const found = await good.getSessionAndUser(sessionToken)
      return found && found.session.expires.getTime() > Date.now() ? found : null
    },
  }),
  "texts of the maximum length are stored unchanged": (good) => ({
    linkAccount: async (account) => {
      if ((account.access_token?.length ?? 0) > 255) throw new Error("value too long")
      await good.linkAccount(account)
    },
  }),
  "longer texts are rejected or stored unchanged, and never truncated": (good) => ({
    linkAccount: ({ scope, ...account }) =>
      good.linkAccount(scope ? { ...account, scope: scope.slice(0, 65_535) } : account),
  }),
}
