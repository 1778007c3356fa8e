import { randomUUID } from "node:crypto"
import type {
  AccountKey,
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Lease,
  VerificationToken,
} from "@latchkey/core/adapters"
import { severable } from "./support/severable.ts"

export type MemoryAdapter = Required<Adapter>

interface StoredLease {
  readonly holder: string
  readonly ends: number
  readonly result?: string
}

/** The contract in its plainest form: what the suite is measured with. */
export function memoryAdapter() {
  const users: AdapterUser[] = []
  const sessions: AdapterSession[] = []
  const accounts: AdapterAccount[] = []
  const tokens: VerificationToken[] = []
  const passkeys: AdapterAuthenticator[] = []
  const leases = new Map<string, StoredLease>()

  const accountAt = (key: AccountKey) => (row: AdapterAccount) =>
    row.provider === key.provider && row.providerAccountId === key.providerAccountId
  const tokenAt = (key: { identifier: string; token: string }) => (row: VerificationToken) =>
    row.identifier === key.identifier && row.token === key.token
  const leaseOf = ({ key }: Pick<Lease, "key">) => {
    const lease = leases.get(key)
    return lease && lease.ends > Date.now() ? lease : undefined
  }
  const userOf = (id: string | undefined) => copy(users.find((user) => user.id === id))

  const adapter: MemoryAdapter = {
    createUser: async (user) => {
      unique(users, (row) => row.email === user.email && user.email !== undefined)
      const stored = { ...user, id: randomUUID() }
      users.push(stored)
      return { ...stored }
    },
    createUserWithAccount: async (user, account) => {
      unique(accounts, accountAt(account))
      const created = await adapter.createUser(user)
      await adapter.linkAccount({ ...account, userId: created.id })
      return created
    },
    getUser: async (id) => userOf(id),
    getUserByEmail: async (email) => copy(users.find((user) => user.email === email)),
    getUserByAccount: async (key) => userOf(accounts.find(accountAt(key))?.userId),
    updateUser: async (changes) => change(users, (row) => row.id === changes.id, changes),
    deleteUser: async (id) => {
      remove(users, (row) => row.id === id)
      remove(sessions, (row) => row.userId === id)
      remove(accounts, (row) => row.userId === id)
      remove(passkeys, (row) => row.userId === id)
    },
    linkAccount: async (account) => {
      unique(accounts, accountAt(account))
      accounts.push({ ...account })
    },
    unlinkAccount: async (key) => void remove(accounts, accountAt(key)),
    updateAccount: async (changes) => {
      const known = accounts.some(accountAt(changes))
      return known ? change(accounts, accountAt(changes), changes) : null
    },
    createSession: async (session) => {
      if (!userOf(session.userId)) throw new Error("FOREIGN KEY constraint failed")
      unique(sessions, (row) => row.sessionToken === session.sessionToken)
      sessions.push({ ...session })
      return session
    },
    getSessionAndUser: async (sessionToken) => {
      const session = copy(sessions.find((row) => row.sessionToken === sessionToken))
      const user = userOf(session?.userId)
      return session && user && { session, user }
    },
    updateSession: async (changes) =>
      change(sessions, (row) => row.sessionToken === changes.sessionToken, changes),
    deleteSession: async (token) => void remove(sessions, (row) => row.sessionToken === token),
    listSessions: async (id) =>
      sessions.filter(({ userId, expires }) => userId === id && expires.getTime() > Date.now()),
    deleteSessions: async (id, { except } = {}) =>
      remove(sessions, (row) => row.userId === id && row.sessionToken !== except).length,
    deleteExpired: async (before, limit) =>
      remove(sessions, (row) => row.expires < before, limit).length +
      remove(tokens, (row) => row.expires < before, limit).length,
    createVerificationToken: async (token) => {
      tokens.push({ ...token })
      return token
    },
    useVerificationToken: async (key) => remove(tokens, tokenAt(key))[0] ?? null,
    getAccount: async (providerAccountId, provider) =>
      copy(accounts.find(accountAt({ providerAccountId, provider }))),
    getAuthenticator: async (id) => copy(passkeys.find((row) => row.credentialID === id)),
    createAuthenticator: async (passkey) => {
      unique(passkeys, (row) => row.credentialID === passkey.credentialID)
      passkeys.push({ ...passkey })
      return passkey
    },
    listAuthenticatorsByUserId: async (id) => passkeys.filter((row) => row.userId === id),
    updateAuthenticatorCounter: async (id, counter) =>
      change(passkeys, (row) => row.credentialID === id, { counter }),
    acquireLease: async ({ key, holder, lifetime }) => {
      const { holder: owner = holder, result } = leaseOf({ key }) ?? {}
      if (result !== undefined) return { state: "settled", result }
      if (owner !== holder) return { state: "held" }
      leases.set(key, { holder, ends: Date.now() + lifetime })
      return { state: "granted" }
    },
    settleLease: async ({ key, holder, lifetime, result }) => {
      const isHolder = leaseOf({ key })?.holder === holder
      if (isHolder) leases.set(key, { holder, ends: Date.now() + lifetime, result })
      return isHolder
    },
    releaseLease: async ({ key, holder }) => {
      const lease = leaseOf({ key })
      if (lease?.holder === holder && lease.result === undefined) leases.delete(key)
    },
  }

  const db = {
    user: (id: string) => userOf(id),
    sessionsOf: (id: string) => sessions.filter((row) => row.userId === id),
    session: (token: string) => sessions.find((row) => row.sessionToken === token),
    account: (key: AccountKey) => accounts.find(accountAt(key)),
    verificationToken: (key: { identifier: string; token: string }) => tokens.find(tokenAt(key)),
    authenticator: (id: string) => passkeys.find((row) => row.credentialID === id),
    lease: leaseOf,
  }
  const { severed, interrupt } = severable(adapter)
  return { adapter: severed, second: { ...adapter }, db, interrupt }
}

function copy<T extends object>(row: T | undefined): T | null {
  return row ? { ...row } : null
}

function unique<T>(rows: T[], taken: (row: T) => boolean): void {
  if (rows.some(taken)) throw new Error("UNIQUE constraint failed")
}

function change<T extends object>(rows: T[], at: (row: T) => boolean, changes: Partial<T>): T {
  const row = rows.find(at)
  if (!row) throw new Error("no such row")
  return { ...Object.assign(row, changes) }
}

function remove<T>(rows: T[], doomed: (row: T) => boolean, most = Infinity): T[] {
  const removed = rows.filter(doomed).slice(0, most)
  rows.splice(0, rows.length, ...rows.filter((row) => !removed.includes(row)))
  return removed
}
