/** Ways in which one method of an adapter can be wrong, by the case of the suite that has to notice. */
import type { AdapterUser } from "@latchkey/core/adapters"
import type { Flaw } from "./flaw.ts"
import { interruptionFlaws } from "./interruption-flaws.ts"
import { leaseFlaws, leaseRaceFlaws } from "./lease-flaws.ts"
import { optionalMethodFlaws } from "./optional-method-flaws.ts"
import { processFlaws } from "./process-flaws.ts"
import { valueFlaws } from "./value-flaws.ts"

const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 1))
const absent = undefined as never

const createsUserTwice: Flaw = () => ({ getUserByAccount: async () => null })
/** Without the one transaction, the library has to undo the creation of the user who came second. */
const leavesUserBehind: Flaw = () => ({
  createUserWithAccount: absent,
  deleteUser: async () => undefined,
})

export const flaws: Readonly<Record<string, Flaw>> = {
  ...optionalMethodFlaws,
  ...valueFlaws,
  ...processFlaws,
  ...interruptionFlaws,
  ...leaseFlaws,
  ...leaseRaceFlaws,
  "1 has the ten core methods": () => ({ updateSession: absent }),
  "2 createUser stores what it is given and returns it with its id": (good) => ({
    createUser: (user) =>
      good.createUser({ ...user, emailVerified: String(user.emailVerified) as never }),
  }),
  "2 createUser stores any number of users without an address": (good) => ({
    createUser: (user) => good.createUser({ ...user, email: user.email ?? "" }),
  }),
  "2 createUser rejects an address that is taken": (good) => ({
    createUser: async (user) => (await good.getUserByEmail(user.email)) ?? good.createUser(user),
  }),
  "3 getUser finds a user by id, or null": (good) => ({
    getUser: async (id) => (await good.getUser(id)) ?? absent,
  }),
  "4 getUserByEmail finds a user by address, or null": (good) => ({
    getUserByEmail: async () => good.createUser({} as AdapterUser),
  }),
  "5 createSession stores what it is given and returns it": (good) => ({
    createSession: (session) => good.createSession({ ...session, expires: new Date(0) }),
  }),
  "6 getSessionAndUser finds a session with its user, and nothing more, or null": (good) => ({
    getSessionAndUser: async (token) => {
      const found = await good.getSessionAndUser(token)
      return found && { ...found, extra: true }
    },
  }),
  "6 getSessionAndUser keeps the sessions of one user apart": (good) => {
    const last = new Map<string, string>()
    return {
      getSessionAndUser: async (token) => {
        const found = await good.getSessionAndUser(token)
        const { id = "" } = found?.user ?? {}
        last.set(id, last.get(id) ?? token)
        return good.getSessionAndUser(last.get(id) ?? token)
      },
    }
  },
  "7 updateUser changes the given fields and no others": (good) => ({
    updateUser: (user) => good.updateUser({ image: null, ...user }),
  }),
  "8 updateSession changes the expiry, and no other session": () => ({
    updateSession: async () => null,
  }),
  "9 linkAccount stores every token field": (good) => ({
    linkAccount: ({ session_state: _, ...account }) => good.linkAccount(account as never),
  }),
  "9 linkAccount stores an account without tokens": (good) => ({
    linkAccount: (account) => good.linkAccount({ access_token: "", ...account }),
  }),
  "9 linkAccount rejects an account that is linked already, and leaves it alone": (good) => ({
    linkAccount: async (account) => {
      await good.unlinkAccount(account)
      await good.linkAccount(account)
    },
  }),
  "10 getUserByAccount finds the user of an account, or null": (good) => ({
    getUserByAccount: async (key) => (await good.getUserByAccount(key)) ?? absent,
  }),
  "10 getUserByAccount keeps the same id at two providers apart": (good) => ({
    getUserByAccount: ({ providerAccountId }) =>
      good.getUserByAccount({ provider: "spotify", providerAccountId }),
  }),
  "11 deleteSession removes the session, and no other": () => ({
    deleteSession: async () => undefined,
  }),
  "12 has createVerificationToken and useVerificationToken": () => ({
    useVerificationToken: absent,
  }),
  "13 createVerificationToken stores what it is given": (good) => ({
    createVerificationToken: (token) =>
      good.createVerificationToken({ ...token, expires: token.expires.toISOString() as never }),
  }),
  "13 createVerificationToken keeps several tokens of one address": (good) => {
    const last = new Map<string, string>()
    return {
      createVerificationToken: async (token) => {
        const { identifier } = token
        const previous = last.get(identifier)
        if (previous) await good.useVerificationToken({ identifier, token: previous })
        last.set(identifier, token.token)
        return good.createVerificationToken(token)
      },
    }
  },
  "14 useVerificationToken gives the token once, with nothing beside it": (good) => ({
    useVerificationToken: async (key) => {
      const used = await good.useVerificationToken(key)
      return used && { ...used, id: "1" }
    },
  }),
  "14 useVerificationToken gives nothing for another address or another token, and takes nothing": (
    good,
  ) => {
    const owners = new Map<string, string>()
    return {
      createVerificationToken: (token) => {
        owners.set(token.token, token.identifier)
        return good.createVerificationToken(token)
      },
      useVerificationToken: ({ token, identifier }) =>
        good.useVerificationToken({ token, identifier: owners.get(token) ?? identifier }),
    }
  },
  "15 has unlinkAccount and deleteUser": () => ({ unlinkAccount: absent }),
  "16 unlinkAccount removes the account, and no other": () => ({
    unlinkAccount: async () => undefined,
  }),
  "17 deleteUser removes the user with all sessions and accounts, and nobody else's": () => ({
    deleteUser: async () => undefined,
  }),
  "of 64 who use a verification token at once, one gets it": (good, db) => ({
    useVerificationToken: async (key) => {
      const row = db.verificationToken(key)
      await waitBriefly()
      await good.useVerificationToken(key)
      return row ? { ...row } : null
    },
  }),
  "of two users who link an account at once, one gets it and the other is told": (good) => ({
    linkAccount: async (account) => {
      if (await good.getUserByAccount(account)) throw new Error("taken")
      await waitBriefly()
      await good.unlinkAccount(account)
      await good.linkAccount(account)
    },
  }),
  "of two users who are created with one address at once, one is": (good) => ({
    createUser: async (user) => {
      if (await good.getUserByEmail(user.email)) throw new Error("taken")
      await waitBriefly()
      const { id } = await good.createUser({ ...user, email: absent })
      return good.updateUser({ ...user, id })
    },
  }),
  "a session that is deleted while it is renewed stays deleted": (good) => ({
    updateSession: async (changes) => {
      const found = await good.getSessionAndUser(changes.sessionToken)
      if (!found) return null
      await waitBriefly()
      await good.deleteSession(changes.sessionToken)
      return good.createSession({ ...found.session, ...changes })
    },
  }),
  "a session that is begun while its user is deleted lets nobody in": (good) => {
    const known = new Map<string, AdapterUser>()
    return {
      createSession: async (session) => {
        const user = (await good.getUser(session.userId)) ?? known.get(session.userId)
        if (user) known.set(session.userId, user)
        await waitBriefly()
        if (!user || (await good.getUser(user.id))) return good.createSession(session)
        const { id } = await good.createUser(user)
        return good.createSession({ ...session, userId: id })
      },
    }
  },
  "of two first sign-ins of one person at once, one creates the user": createsUserTwice,
  "of two first sign-ins of one person without an address at once, one creates the user":
    leavesUserBehind,
  "of 2 × 32 first sign-ins of one person at once, one creates the user": createsUserTwice,
  "of 2 × 32 first sign-ins of one person without an address at once, one creates the user":
    leavesUserBehind,
  "18 getAccount finds an account by both of its names, or null": (good) => ({
    getAccount: (id) => good.getAccount(id, "spotify"),
  }),
  "19 createAuthenticator stores what it is given and returns it": (good) => ({
    createAuthenticator: ({ transports: _, ...passkey }) => good.createAuthenticator(passkey),
  }),
  "19 createAuthenticator rejects a credential that is stored already": (good) => ({
    createAuthenticator: async (passkey) =>
      (await good.getAuthenticator(passkey.credentialID)) ?? good.createAuthenticator(passkey),
  }),
  "20 getAuthenticator finds a passkey by its credential, or null": () => ({
    getAuthenticator: async () => ({}) as never,
  }),
  "21 listAuthenticatorsByUserId gives the passkeys of a user, and no others": () => ({
    listAuthenticatorsByUserId: async () => [{}] as never,
  }),
  "22 updateAuthenticatorCounter counts, and rejects for an unknown passkey": (good) => ({
    updateAuthenticatorCounter: async (id) => (await good.getAuthenticator(id)) as never,
  }),
  "17 deleteUser removes the passkeys of the user": () => ({ deleteUser: async () => undefined }),
}
