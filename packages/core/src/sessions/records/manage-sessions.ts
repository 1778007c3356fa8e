/** Lists, changes and ends sessions for server code. */
import type { SessionRecord } from "../../adapters.ts"
import type { CoreServices } from "../../config/core-services.ts"
import type { ServerAuth } from "../../latchkey-auth.ts"
import {
  deleteSessionRow,
  deleteSessionRows,
  findSessionRow,
  listRowIds,
} from "./database-sessions.ts"
import { hashUserId, type UserRevocation, userKey } from "./known-changes.ts"
import { toSessionInfo } from "./record-details.ts"
import { computeLatestEnd, revokeSealedSession } from "./record-session.ts"
import { getSessionRecords } from "./record-store.ts"
import { storeUpdate } from "./stored-updates.ts"

/** Creates the functions of `auth.sessions`. */
export async function createSessionManager(
  services: CoreServices,
): Promise<ServerAuth["sessions"]> {
  const { store } = getSessionRecords(services)
  return {
    async list(userId) {
      const records = await listLiveRecords(services, String(userId))
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
      const isEnded = await revokeSession(services, id, record)
      return record && isEnded ? toSessionInfo(record) : null
    },
    revokeAll: (userId, options) => revokeUserSessions(services, String(userId), options?.except),
    async update(id, data) {
      if (!(await getLiveRecord(services, id))) return false
      await storeUpdate(services, id, data)
      return true
    },
  }
}

/** Whether a text can be the id of a session. Some databases fail for others. */
const isSessionId = (id: string): boolean => /^[\w-]{1,64}$/.test(id)

/** Ends a session. Returns whether this call ended it, of several concurrent ones. */
export async function revokeSession(
  services: CoreServices,
  id: string,
  record: SessionRecord | null,
): Promise<boolean> {
  const { store } = getSessionRecords(services)
  // Without a record, too: the session may be alive although its record was lost.
  if (services.config.session.strategy === "jwt")
    return revokeSealedSession(services, id, record?.expires.getTime())
  if (!record) return false
  await deleteSessionRow(services, record)
  return store.deleteSessionRecord(id)
}

/** Returns the records of a user's sessions that have not ended. */
async function listLiveRecords(services: CoreServices, userId: string): Promise<SessionRecord[]> {
  const { store, feed } = getSessionRecords(services)
  const found = await store.listSessionRecords(userId)
  // The database may compare ids loosely.
  const records = found.filter((record) => record.userId === userId)
  if (services.config.session.strategy === "database") {
    const rows = await listRowIds(services, userId)
    return records.filter(({ id }) => rows.has(id))
  }
  await feed.refresh()
  const user = await hashUserId(userId)
  return records.filter(
    ({ id, createdAt }) => !feed.known.isRevoked({ id, user, epoch: createdAt.getTime() }),
  )
}

/** Returns the record of a session; null if there is none, or the session has ended. */
async function getLiveRecord(services: CoreServices, id: string): Promise<SessionRecord | null> {
  const { store, feed } = getSessionRecords(services)
  const record = isSessionId(id) ? await store.getSessionRecord(id) : null
  if (record?.id !== id) return null
  if (services.config.session.strategy === "database")
    return (await findSessionRow(services, record)) ? record : null
  await feed.refresh()
  const user = await hashUserId(record.userId)
  return feed.known.isRevoked({ id, user, epoch: record.createdAt.getTime() }) ? null : record
}

/**
 * Ends all sessions of a user, except one, and returns how many there were.
 *
 * @param except id of the session that stays
 * @throws AdapterError
 */
export async function revokeUserSessions(
  services: CoreServices,
  userId: string,
  except?: string,
): Promise<number> {
  const { store } = getSessionRecords(services)
  const isDatabase = services.config.session.strategy === "database"
  const found = await store.listSessionRecords(userId)
  const records = found.filter((record) => record.userId === userId)
  const ended = records.filter(({ id }) => id !== except)
  const deletedRows = isDatabase ? await deleteSessionRows(services, userId, except) : undefined
  if (!isDatabase) await saveUserRevocation(services, userId, records, except)
  for (const { id } of ended) await store.deleteSessionRecord(id)
  return deletedRows ?? ended.length
}

/** Revokes the sealed sessions of a user that have begun until now. */
async function saveUserRevocation(
  services: CoreServices,
  userId: string,
  records: readonly SessionRecord[],
  except: string | undefined,
): Promise<void> {
  const { feed } = getSessionRecords(services)
  const user = await hashUserId(userId)
  await feed.refresh()
  const now = Date.now()
  // The clocks of the servers that began sessions, or revoked others, may be ahead.
  const starts = records.map(({ createdAt }) => createdAt.getTime() + 1)
  const before = Math.max(now + 1, feed.known.getRevokedBefore(user) + 1, ...starts)
  // A session that has been revoked must not come back: it has no record, or another request deletes it just now.
  const record = records.find(({ id }) => id === except)
  const epoch = record?.createdAt.getTime()
  const kept = feed.known.isRevoked({ id: record?.id, user, epoch }) ? undefined : record?.id
  const details: UserRevocation = { kind: "user", user, before, except: kept }
  const ends = records.map(({ expires }) => expires.getTime())
  await feed.save({
    key: userKey(user),
    changedAt: new Date(before),
    expires: new Date(Math.max(computeLatestEnd(services, now), ...ends)),
    details: JSON.stringify(details),
  })
}
