import { randomUUID } from "node:crypto"
import type {
  AccountKey,
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterFactor,
  AdapterSession,
  AdapterUser,
  AttemptCount,
  Lease,
  VerificationToken,
} from "@latchkey/core/adapters"
import { createInterruptibleAdapter } from "./support/interruptible-adapter.ts"
import { createMemorySessionRecords } from "./support/memory-session-records.ts"

export type MemoryAdapter = Required<Adapter>

interface StoredLease {
  readonly holder: string
  readonly expiresAt: number
  readonly result?: string
}

/** The simplest correct adapter, with which the suite is tested. */
export function createMemoryAdapter() {
  const users: AdapterUser[] = []
  const sessions: AdapterSession[] = []
  const accounts: AdapterAccount[] = []
  const tokens: VerificationToken[] = []
  const passkeys: AdapterAuthenticator[] = []
  const factors: AdapterFactor[] = []
  const leases = new Map<string, StoredLease>()
  const attempts = new Map<string, AttemptCount>()
  const sessionRecords = createMemorySessionRecords()

  const matchesAccount = (key: AccountKey) => (row: AdapterAccount) =>
    row.provider === key.provider && row.providerAccountId === key.providerAccountId
  const matchesToken = (key: { identifier: string; token: string }) => (row: VerificationToken) =>
    row.identifier === key.identifier && row.token === key.token
  const getLease = ({ key }: Pick<Lease, "key">) => {
    const lease = leases.get(key)
    return lease && lease.expiresAt > Date.now() ? lease : undefined
  }
  const getUser = (id: string | undefined) => copyRow(users.find((user) => user.id === id))

  const adapter: MemoryAdapter = {
    ...sessionRecords.methods,
    createUser: async (user) => {
      assertUnique(users, (row) => row.email === user.email && user.email !== undefined)
      const stored = { ...user, id: randomUUID() }
      users.push(stored)
      return { ...stored }
    },
    createUserWithAccount: async (user, account) => {
      assertUnique(accounts, matchesAccount(account))
      const created = await adapter.createUser(user)
      await adapter.linkAccount({ ...account, userId: created.id })
      return created
    },
    getUser: async (id) => getUser(id),
    countUnprovenUsers: async () =>
      users.filter(({ email, emailVerified }) => email && !emailVerified).length,
    getUserByEmail: async (email) => copyRow(users.find((user) => user.email === email)),
    getUserByAccount: async (key) => getUser(accounts.find(matchesAccount(key))?.userId),
    updateUser: async (changes) => updateRow(users, (row) => row.id === changes.id, changes),
    deleteUser: async (id) => {
      removeRows(users, (row) => row.id === id)
      removeRows(sessions, (row) => row.userId === id)
      removeRows(accounts, (row) => row.userId === id)
      removeRows(passkeys, (row) => row.userId === id)
      removeRows(factors, (row) => row.userId === id)
      sessionRecords.deleteRecordsOf(id)
    },
    linkAccount: async (account) => {
      assertUnique(accounts, matchesAccount(account))
      accounts.push({ ...account })
    },
    unlinkAccount: async (key) => void removeRows(accounts, matchesAccount(key)),
    updateAccount: async (changes) => {
      const known = accounts.some(matchesAccount(changes))
      return known ? updateRow(accounts, matchesAccount(changes), changes) : null
    },
    listAccounts: async (id) => accounts.filter(({ userId }) => userId === id),
    createSession: async (session) => {
      if (!getUser(session.userId)) throw new Error("FOREIGN KEY constraint failed")
      assertUnique(sessions, (row) => row.sessionToken === session.sessionToken)
      sessions.push({ ...session })
      return session
    },
    getSessionAndUser: async (sessionToken) => {
      const session = copyRow(sessions.find((row) => row.sessionToken === sessionToken))
      const user = getUser(session?.userId)
      return session && user && { session, user }
    },
    updateSession: async (changes) =>
      updateRow(sessions, (row) => row.sessionToken === changes.sessionToken, changes),
    deleteSession: async (token) => void removeRows(sessions, (row) => row.sessionToken === token),
    listSessions: async (id) =>
      sessions.filter(({ userId, expires }) => userId === id && expires.getTime() > Date.now()),
    deleteSessions: async (id, { except } = {}) =>
      removeRows(sessions, (row) => row.userId === id && row.sessionToken !== except).length,
    deleteExpired: async (before, limit) =>
      removeRows(sessions, (row) => row.expires < before, limit).length +
      removeRows(tokens, (row) => row.expires < before, limit).length +
      sessionRecords.deleteExpired(before, limit),
    createVerificationToken: async (token) => {
      tokens.push({ ...token })
      return token
    },
    useVerificationToken: async (key) => removeRows(tokens, matchesToken(key))[0] ?? null,
    getAccount: async (providerAccountId, provider) =>
      copyRow(accounts.find(matchesAccount({ providerAccountId, provider }))),
    getAuthenticator: async (id) => copyRow(passkeys.find((row) => row.credentialID === id)),
    createAuthenticator: async (passkey) => {
      assertUnique(passkeys, (row) => row.credentialID === passkey.credentialID)
      passkeys.push({ ...passkey })
      return passkey
    },
    listAuthenticatorsByUserId: async (id) => passkeys.filter((row) => row.userId === id),
    deleteAuthenticator: async (id) => void removeRows(passkeys, (row) => row.credentialID === id),
    updateAuthenticatorCounter: async (id, counter) =>
      updateRow(passkeys, (row) => row.credentialID === id, { counter }),
    createFactor: async (factor) => {
      assertUnique(factors, (row) => row.id === factor.id)
      factors.push({ ...factor })
    },
    listFactors: async (id) =>
      factors
        .filter((row) => row.userId === id)
        .map((row) => ({ ...row }))
        .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    updateFactor: async ({ id, version, data }) => {
      const factor = factors.find((row) => row.id === id && row.version === version)
      if (factor) Object.assign(factor, { version: version + 1, data })
      return factor !== undefined
    },
    deleteFactor: async (id) => removeRows(factors, (row) => row.id === id).length > 0,
    countAttempt: async (key, windowSeconds) => {
      const now = Date.now()
      const previous = attempts.get(key)
      const isCurrent = previous !== undefined && previous.expires.getTime() > now
      const counter = isCurrent
        ? { ...previous, count: previous.count + 1 }
        : { count: 1, expires: new Date(now + windowSeconds * 1000) }
      attempts.set(key, counter)
      return { ...counter }
    },
    resetAttempts: async (key) => void attempts.delete(key),
    acquireLease: async ({ key, holder, lifetime }) => {
      const { holder: currentHolder = holder, result } = getLease({ key }) ?? {}
      if (result !== undefined) return { state: "completed", result }
      if (currentHolder !== holder) return { state: "held" }
      leases.set(key, { holder, expiresAt: Date.now() + lifetime })
      return { state: "granted" }
    },
    completeLease: async ({ key, holder, lifetime, result }) => {
      const isHolder = getLease({ key })?.holder === holder
      if (isHolder) leases.set(key, { holder, expiresAt: Date.now() + lifetime, result })
      return isHolder
    },
    releaseLease: async ({ key, holder }) => {
      const lease = getLease({ key })
      if (lease?.holder === holder && lease.result === undefined) leases.delete(key)
    },
  }

  const db = {
    user: (id: string) => getUser(id),
    sessionsOf: (id: string) => sessions.filter((row) => row.userId === id),
    session: (token: string) => sessions.find((row) => row.sessionToken === token),
    account: (key: AccountKey) => accounts.find(matchesAccount(key)),
    verificationToken: (key: { identifier: string; token: string }) =>
      tokens.find(matchesToken(key)),
    authenticator: (id: string) => passkeys.find((row) => row.credentialID === id),
    lease: getLease,
  }
  const { interruptible, interrupt } = createInterruptibleAdapter(adapter)
  return { adapter: interruptible, second: { ...adapter }, db, interrupt }
}

function copyRow<T extends object>(row: T | undefined): T | null {
  return row ? { ...row } : null
}

function assertUnique<T>(rows: T[], isTaken: (row: T) => boolean): void {
  if (rows.some(isTaken)) throw new Error("UNIQUE constraint failed")
}

function updateRow<T extends object>(
  rows: T[],
  matches: (row: T) => boolean,
  changes: Partial<T>,
): T {
  const row = rows.find(matches)
  if (!row) throw new Error("no such row")
  return { ...Object.assign(row, changes) }
}

function removeRows<T>(rows: T[], matches: (row: T) => boolean, limit = Infinity): T[] {
  const removed = rows.filter(matches).slice(0, limit)
  rows.splice(0, rows.length, ...rows.filter((row) => !removed.includes(row)))
  return removed
}
