/** Lists, changes and ends sessions: for server code, and when a provider logs a user out. */
import type { AdapterSession, SessionRecord } from "../../adapters.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { randomToken } from "../../crypto/random.ts"
import type { ServerAuth, SessionInfo } from "../../latchkey-auth.ts"
import { hashProviderId } from "./begin-session.ts"
import {
  hashUserId,
  logoutKey,
  type PendingUpdate,
  type ProviderLogout,
  type UserRevocation,
  updateKey,
  userKey,
} from "./known-changes.ts"
import {
  deriveSessionId,
  getRecordServices,
  parseDetails,
  revokeSealedSession,
  saveChange,
  toSessionInfo,
} from "./record-session.ts"

/** Creates the functions of `auth.sessions`. */
export async function createSessionManager(
  services: CoreServices,
): Promise<ServerAuth["sessions"]> {
  const { store } = getRecordServices(services)
  return {
    async list(userId) {
      const id = String(userId)
      const records = await filterLive(services, id, await listRecords(services, id))
      const newestFirst = records.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      return newestFirst.map(toSessionInfo)
    },
    async get(id) {
      const record = await getLiveRecord(services, id)
      return record && toSessionInfo(record)
    },
    async revoke(id) {
      if (!isSessionId(id)) return null
      const record = await store.getSessionRecord(id)
      if (record && record.id !== id) return null // the database compares ids loosely
      const isEnded = await revokeSession(services, id, record)
      if (!record || !isEnded) return null
      const facts = { userId: record.userId, sessionId: id }
      await reportSecurityEvent(services, "session-revoked", facts)
      return toSessionInfo(record)
    },
    async revokeAll(user, { except = "" } = {}) {
      const userId = String(user)
      const kept = isSessionId(except) ? except : undefined
      const count = await revokeUserSessions(services, userId, kept)
      await reportSecurityEvent(services, "sessions-revoked", { userId, count })
      return count
    },
    async update(id, data) {
      const record = await getLiveRecord(services, id)
      if (!record) return false
      await storeUpdate(services, id, data)
      const facts = { userId: record.userId, sessionId: id }
      await reportSecurityEvent(services, "session-updated", facts)
      return true
    },
  }
}

/** Maximum size of the data as JSON, in bytes: a change has room for 1 KiB. */
const maxDataSize = 900

/**
 * Stores data for a session, which receives it with its next check.
 *
 * @throws TypeError for data that is too large, or no JSON
 * @throws AdapterError
 */
async function storeUpdate(services: CoreServices, id: string, data: unknown): Promise<void> {
  const { feed } = getRecordServices(services)
  const text = JSON.stringify(data)
  const size = text === undefined ? undefined : new TextEncoder().encode(text).byteLength
  if (size === undefined || size > maxDataSize) {
    const received = size === undefined ? typeof data : `${size} bytes`
    throw new TypeError(
      `Expected data of at most ${maxDataSize} bytes as JSON. Received: ${received}.`,
    )
  }
  await feed.refresh()
  // The clock of the server that stored the last one may be ahead.
  const last = feed.known.listUpdates(id).at(-1)
  const version = Math.max(Date.now(), (last?.version ?? 0) + 1)
  const update: PendingUpdate = { kind: "update", id, version, data }
  await saveChange(services, updateKey(id, randomToken().slice(0, 22)), version, update)
}

/** Whether a text can be the id of a session. Some databases fail for others. */
const isSessionId = (id: string): boolean => /^[\w-]{1,43}$/.test(id)

/** Ends a session. Returns whether this call ended it, of several concurrent ones. */
async function revokeSession(
  services: CoreServices,
  id: string,
  record: SessionRecord | null,
): Promise<boolean> {
  const { store } = getRecordServices(services)
  // Without a record, too: the session may be alive although its record was lost.
  if (services.config.session.strategy === "jwt")
    return revokeSealedSession(services, id, record?.expires.getTime())
  if (!record) return false
  const row = (await listRows(services, record.userId)).get(id)
  if (row) await requireDatabase(services).store.deleteSession(row.sessionToken)
  return store.deleteSessionRecord(id)
}

/** Returns the records of a user's sessions. */
async function listRecords(services: CoreServices, userId: string): Promise<SessionRecord[]> {
  const records = await getRecordServices(services).store.listSessionRecords(userId)
  // The database may compare ids loosely.
  return records.filter((record) => record.userId === userId)
}

/** Returns the rows of a user's sessions, by the ids of the sessions. */
async function listRows(
  services: CoreServices,
  userId: string,
): Promise<ReadonlyMap<string, AdapterSession>> {
  const rows = await requireDatabase(services).store.listSessions(userId)
  const entries = rows.map(async (row) => [await deriveSessionId(row.sessionToken), row] as const)
  return new Map(await Promise.all(entries))
}

/** Returns the record of a session; null if there is none, or the session has ended. */
async function getLiveRecord(services: CoreServices, id: string): Promise<SessionRecord | null> {
  const { store } = getRecordServices(services)
  const record = isSessionId(id) ? await store.getSessionRecord(id) : null
  if (record?.id !== id) return null
  const [live = null] = await filterLive(services, record.userId, [record])
  return live
}

/** Returns the records of a user's sessions that have not ended. */
async function filterLive(
  services: CoreServices,
  userId: string,
  records: readonly SessionRecord[],
): Promise<SessionRecord[]> {
  if (services.config.session.strategy === "database") {
    const rows = await listRows(services, userId)
    return records.filter(({ id }) => rows.has(id))
  }
  const { feed } = getRecordServices(services)
  await feed.refresh()
  const user = await hashUserId(userId)
  return records.filter(
    ({ id, createdAt }) => !feed.known.isRevoked({ id, user, epoch: createdAt.getTime() }),
  )
}

/**
 * Ends all sessions of a user, except one, and returns how many there were.
 *
 * @param except id of the session that stays, or of a sign-in that goes on
 * @throws AdapterError
 */
export async function revokeUserSessions(
  services: CoreServices,
  userId: string,
  except?: string,
): Promise<number> {
  const { store } = getRecordServices(services)
  const before = await saveUserRevocation(services, userId, except)
  const isEnded = ({ id }: SessionRecord) => id !== except
  const ended = (await listRecords(services, userId)).filter(isEnded)
  // Sessions that were about to begin, on a server whose clock is ahead.
  if (ended.some(({ createdAt }) => createdAt.getTime() >= before))
    await saveUserRevocation(services, userId, except)
  const isDatabase = services.config.session.strategy === "database"
  const deletedRows = isDatabase ? await deleteRows(services, userId, except) : undefined
  for (const { id } of ended) await store.deleteSessionRecord(id)
  return deletedRows ?? ended.length
}

/** Deletes the rows of a user's sessions, except one. Returns how many there were. */
async function deleteRows(
  services: CoreServices,
  userId: string,
  except: string | undefined,
): Promise<number> {
  const { store, config } = requireDatabase(services)
  const rows = await listRows(services, userId)
  const kept = except === undefined ? undefined : rows.get(except)?.sessionToken
  if (config.adapter?.deleteSessions)
    return store.deleteSessions(userId, kept === undefined ? {} : { except: kept })
  const tokens = [...rows.values()].map(({ sessionToken }) => sessionToken)
  const ended = tokens.filter((token) => token !== kept)
  for (const token of ended) await store.deleteSession(token)
  return ended.length
}

/** Revokes the sessions of a user that have begun until now, and returns the time that they began before. */
async function saveUserRevocation(
  services: CoreServices,
  userId: string,
  except: string | undefined,
): Promise<number> {
  const { feed } = getRecordServices(services)
  const user = await hashUserId(userId)
  const records = await listRecords(services, userId)
  await feed.refresh()
  // The clocks of the servers that began sessions, or revoked others, may be ahead.
  const starts = records.map(({ createdAt }) => createdAt.getTime() + 1)
  const before = Math.max(Date.now() + 1, feed.known.getRevokedBefore(user) + 1, ...starts)
  const details: UserRevocation = { kind: "user", user, before, except }
  const ends = records.map(({ expires }) => expires.getTime())
  const key = userKey(user, randomToken().slice(0, 22))
  await saveChange(services, key, before, details, Math.max(0, ...ends))
  return before
}

/** A session at a provider by its id there, all sessions of a subject, or both. */
export interface ProviderSession {
  /** Id of the provider. */
  readonly provider: string
  readonly sid?: string | undefined
  readonly sub?: string | undefined
  /** When the provider ended it, in seconds since 1970. */
  readonly issuedAt?: number | undefined
}

/**
 * Ends the sessions that began with a session at a provider, or that a subject began with the provider. Returns those
 * that this call ended.
 *
 * @throws InvalidOption without `session.records`, AdapterError
 */
export async function endProviderSessions(
  services: CoreServices,
  session: ProviderSession,
): Promise<SessionInfo[]> {
  const ended: SessionInfo[] = []
  await saveProviderLogout(services, session)
  for (const record of await findProviderRecords(services, session))
    if (await revokeSession(services, record.id, record)) ended.push(toSessionInfo(record))
  return ended
}

/** Returns the id of the provider with which a recorded session began. */
export async function findSessionProvider(
  services: CoreServices,
  id: string,
): Promise<string | undefined> {
  const record = await getRecordServices(services).store.getSessionRecord(id)
  return record?.id === id ? parseDetails(record).provider : undefined
}

/** How long an authorization code may last (RFC 6749 section 4.1.2), with some time to redeem it, in milliseconds. */
const logoutLifetime = 720_000

/** Refuses sign-ins that are under way with a session, or a subject, that the provider logs out. */
async function saveProviderLogout(
  services: CoreServices,
  { provider, sid, sub, issuedAt }: ProviderSession,
): Promise<void> {
  const { feed } = getRecordServices(services)
  const now = Date.now()
  const details: ProviderLogout = { kind: "logout", issuedAt }
  const change = {
    changedAt: new Date(now),
    expires: new Date(now + logoutLifetime),
    details: JSON.stringify(details),
  }
  if (sid !== undefined)
    await feed.save({ ...change, key: logoutKey(await hashProviderId("session", provider, sid)) })
  if (sub === undefined) return
  const hash = await hashProviderId("subject", provider, sub)
  await feed.save({ ...change, key: logoutKey(hash, sid === undefined ? undefined : "unnamed") })
}

async function findProviderRecords(
  services: CoreServices,
  { provider, sid, sub }: ProviderSession,
): Promise<readonly SessionRecord[]> {
  if (sid !== undefined) {
    const providerSession = await hashProviderId("session", provider, sid)
    const records = await findRecords(services, { providerSession })
    if (records.length > 0 || sub === undefined) return records
  }
  if (sub === undefined) return []
  const providerSubject = await hashProviderId("subject", provider, sub)
  const records = await findRecords(services, { providerSubject })
  // If the ID token did not name the session, it may be any of the subject.
  return sid === undefined ? records : records.filter((each) => each.providerSession === null)
}

/** Finds records by a hash. The database may compare hashes loosely. */
async function findRecords(
  services: CoreServices,
  key: { readonly providerSession: string } | { readonly providerSubject: string },
): Promise<SessionRecord[]> {
  const records = await getRecordServices(services).store.findSessionRecords(key)
  return records.filter(({ providerSession, providerSubject }) =>
    "providerSession" in key
      ? providerSession === key.providerSession
      : providerSubject === key.providerSubject,
  )
}
