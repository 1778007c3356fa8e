/** Flaws of single methods, by the case of the suite that must detect them. */
import type { AdapterUser } from "@latchkey/core/adapters"
import { attemptFlaws, attemptRaceFlaws } from "./attempt-flaws.ts"
import { factorFlaws, factorRaceFlaws } from "./factor-flaws.ts"
import type { Flaw } from "./flaw.ts"
import { interruptionFlaws } from "./interruption-flaws.ts"
import { leaseFlaws, leaseRaceFlaws } from "./lease-flaws.ts"
import { optionalMethodFlaws } from "./optional-method-flaws.ts"
import { processFlaws } from "./process-flaws.ts"
import { sessionRecordFlaws, sessionRecordRaceFlaws } from "./session-record-flaws.ts"
import { valueFlaws } from "./value-flaws.ts"

const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 1))
const absent = undefined as never

const createsUserTwice: Flaw = () => ({ getUserByAccount: async () => null })
/** Without a transaction, the library has to delete the user of the second sign-in again. */
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
  ...attemptFlaws,
  ...attemptRaceFlaws,
  ...factorFlaws,
  ...factorRaceFlaws,
  ...sessionRecordFlaws,
  ...sessionRecordRaceFlaws,
  "the ten core methods exist": () => ({ updateSession: absent }),
  "createUser stores a user and returns it with its id": (good) => ({
    createUser: (user) =>
      good.createUser({ ...user, emailVerified: String(user.emailVerified) as never }),
  }),
  "createUser stores any number of users without an address": (good) => ({
    createUser: (user) => good.createUser({ ...user, email: user.email ?? "" }),
  }),
  "createUser rejects an address that is taken": (good) => ({
    createUser: async (user) => (await good.getUserByEmail(user.email)) ?? good.createUser(user),
  }),
  "getUser returns a user by id, or null": (good) => ({
    getUser: async (id) => (await good.getUser(id)) ?? absent,
  }),
  "getUserByEmail returns a user by address, or null": (good) => ({
    getUserByEmail: async () => good.createUser({} as AdapterUser),
  }),
  "getUserByEmail finds no user without an address for an empty one": (good) => {
    let nameless: AdapterUser | undefined
    return {
      async createUser(user) {
        const created = await good.createUser(user)
        if (!user.email) nameless = created
        return created
      },
      getUserByEmail: async (email) => (email ? good.getUserByEmail(email) : (nameless ?? null)),
    }
  },
  "createSession does not replace the session of another user": (good) => ({
    async createSession(session) {
      await good.deleteSession(session.sessionToken)
      return good.createSession(session)
    },
  }),
  "createSession stores and returns a session": (good) => ({
    createSession: (session) => good.createSession({ ...session, expires: new Date(0) }),
  }),
  "getSessionAndUser returns only the session and its user, or null": (good) => ({
    getSessionAndUser: async (token) => {
      const found = await good.getSessionAndUser(token)
      return found && { ...found, extra: true }
    },
  }),
  "getSessionAndUser distinguishes sessions of one user": (good) => {
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
  "updateUser changes only the given fields": (good) => ({
    updateUser: (user) => good.updateUser({ name: null, emailVerified: null, ...user }),
  }),
  "updateSession changes only the expiry of the given session": () => ({
    updateSession: async () => null,
  }),
  "linkAccount stores every token field": (good) => ({
    linkAccount: ({ session_state: _, ...account }) => good.linkAccount(account as never),
  }),
  "linkAccount stores an account without tokens": (good) => ({
    linkAccount: (account) => good.linkAccount({ access_token: "", ...account }),
  }),
  "linkAccount rejects a linked account, and does not change it": (good) => ({
    linkAccount: async (account) => {
      await good.unlinkAccount(account)
      await good.linkAccount(account)
    },
  }),
  "getUserByAccount returns the user of an account, or null": (good) => ({
    getUserByAccount: async (key) => (await good.getUserByAccount(key)) ?? absent,
  }),
  "getUserByAccount distinguishes equal ids of different providers": (good) => ({
    getUserByAccount: ({ providerAccountId }) =>
      good.getUserByAccount({ provider: "spotify", providerAccountId }),
  }),
  "deleteSession removes only the given session": () => ({
    deleteSession: async () => undefined,
  }),
  "createVerificationToken and useVerificationToken exist": () => ({
    useVerificationToken: absent,
  }),
  "createVerificationToken stores a token": (good) => ({
    createVerificationToken: (token) =>
      good.createVerificationToken({ ...token, expires: token.expires.toISOString() as never }),
  }),
  "createVerificationToken stores several tokens of one address": (good) => {
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
  "useVerificationToken returns only the token, and only once": (good) => ({
    useVerificationToken: async (key) => {
      const used = await good.useVerificationToken(key)
      return used && { ...used, id: "1" }
    },
  }),
  "useVerificationToken returns and removes nothing for another address or token": (good) => {
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
  "unlinkAccount and deleteUser exist": () => ({ unlinkAccount: absent }),
  "unlinkAccount removes only the given account": (good) => {
    const providers: string[] = []
    return {
      linkAccount: (account) => {
        providers.push(account.provider)
        return good.linkAccount(account)
      },
      unlinkAccount: async ({ providerAccountId }) => {
        for (const provider of providers) await good.unlinkAccount({ provider, providerAccountId })
      },
    }
  },
  "updateSession does not restore a deleted session": (good) => ({
    updateSession: async (changes) => {
      const { sessionToken, userId, expires = new Date() } = changes
      if (await good.getSessionAndUser(sessionToken)) return good.updateSession(changes)
      return userId ? good.createSession({ sessionToken, userId, expires }) : null
    },
  }),
  "an address with % or _ is no pattern": (good) => {
    const addresses: string[] = []
    return {
      createUser: (user) => {
        addresses.push(user.email)
        return good.createUser(user)
      },
      getUserByEmail: (email) => {
        const pattern = new RegExp(email.replaceAll("%", ".*").replaceAll("_", "."))
        return good.getUserByEmail(addresses.find((each) => pattern.test(each)) ?? email)
      },
    }
  },
  "account ids that are equal numbers are different": (good) => ({
    getUserByAccount: ({ provider, providerAccountId }) =>
      good.getUserByAccount({
        provider,
        providerAccountId: String(Number.parseFloat(providerAccountId)),
      }),
  }),
  "deleteUser removes the user with all sessions and accounts, and no others": () => ({
    deleteUser: async () => undefined,
  }),
  "no user gets the id of a deleted one": (good) => ({
    createUser: async (user) => ({ ...(await good.createUser(user)), id: "1" }),
  }),
  "of 64 concurrent uses of a verification token, one succeeds": (good, db) => ({
    useVerificationToken: async (key) => {
      const row = db.verificationToken(key)
      await waitBriefly()
      await good.useVerificationToken(key)
      return row ? { ...row } : null
    },
  }),
  "of two users who link the same account concurrently, one succeeds and the other is rejected": (
    good,
  ) => ({
    linkAccount: async (account) => {
      if (await good.getUserByAccount(account)) throw new Error("taken")
      await waitBriefly()
      await good.unlinkAccount(account)
      await good.linkAccount(account)
    },
  }),
  "of two users with the same address that are created concurrently, one is stored": (good) => ({
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
  "a session that is created while its user is deleted is not valid": (good) => {
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
  "two concurrent first sign-ins of one person create one user": createsUserTwice,
  "two concurrent first sign-ins of one person without an address create one user":
    leavesUserBehind,
  "64 concurrent first sign-ins of one person create one user": createsUserTwice,
  "64 concurrent first sign-ins of one person without an address create one user": leavesUserBehind,
  "getAccount returns an account by provider and id, or null": (good) => ({
    getAccount: (id) => good.getAccount(id, "spotify"),
  }),
  "createAuthenticator stores and returns a passkey": (good) => ({
    createAuthenticator: ({ transports: _, ...passkey }) => good.createAuthenticator(passkey),
  }),
  "createAuthenticator rejects a stored credential": (good) => ({
    createAuthenticator: async (passkey) =>
      (await good.getAuthenticator(passkey.credentialID)) ?? good.createAuthenticator(passkey),
  }),
  "getAuthenticator returns a passkey by its credential, or null": () => ({
    getAuthenticator: async () => ({}) as never,
  }),
  "listAuthenticatorsByUserId returns only the passkeys of the user": () => ({
    listAuthenticatorsByUserId: async () => [{}] as never,
  }),
  "updateAuthenticatorCounter updates the counter, and rejects unknown passkeys": (good) => ({
    updateAuthenticatorCounter: async (id) => (await good.getAuthenticator(id)) as never,
  }),
  "deleteAuthenticator removes only the given passkey, and not its account": () => ({
    deleteAuthenticator: async () => undefined,
  }),
  "deleteUser removes the passkeys of the user": () => ({ deleteUser: async () => undefined }),
}
