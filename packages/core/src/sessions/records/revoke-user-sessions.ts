/** Ends all sessions of a user. */
import type { SessionRecord } from "../../adapters.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { hashUserId, type UserRevocation, userKey } from "./change-details.ts"
import { computeLatestEnd } from "./record-session.ts"
import { getSessionRecords } from "./record-store.ts"
import { deleteSessionRows } from "./session-rows.ts"

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
