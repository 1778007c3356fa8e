/** The rows of database sessions. A record has no token, so that whoever reads it cannot use the session. */
import type { AdapterSession, SessionRecord } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { MissingAdapter } from "../../errors.ts"
import { hashToken } from "./session-id.ts"

/** Returns the ids of a user's sessions. */
export async function listRowIds(
  services: CoreServices,
  userId: string,
): Promise<ReadonlyMap<string, AdapterSession>> {
  const rows = await getStore(services).listSessions(userId)
  const entries = rows.map(async (row) => [await hashToken(row.sessionToken), row] as const)
  return new Map(await Promise.all(entries))
}

/** Returns the row of a recorded session; undefined if it has ended. */
export async function findSessionRow(
  services: CoreServices,
  { id, userId }: SessionRecord,
): Promise<AdapterSession | undefined> {
  return (await listRowIds(services, userId)).get(id)
}

/** Deletes the row of a recorded session, if there still is one. */
export async function deleteSessionRow(
  services: CoreServices,
  record: SessionRecord,
): Promise<void> {
  const row = await findSessionRow(services, record)
  if (row) await getStore(services).deleteSession(row.sessionToken)
}

/** Deletes the rows of a user's sessions, except one. Returns how many there were. */
export async function deleteSessionRows(
  services: CoreServices,
  userId: string,
  except: string | undefined,
): Promise<number> {
  const store = getStore(services)
  const rows = await listRowIds(services, userId)
  const kept = except === undefined ? undefined : rows.get(except)?.sessionToken
  if (services.config.adapter?.deleteSessions)
    return store.deleteSessions(userId, kept === undefined ? {} : { except: kept })
  const tokens = [...rows.values()].map(({ sessionToken }) => sessionToken)
  const ended = tokens.filter((token) => token !== kept)
  for (const token of ended) await store.deleteSession(token)
  return ended.length
}

/** Database sessions have a database. */
function getStore({ store }: CoreServices): AdapterStore {
  if (store) return store
  throw new MissingAdapter({ expected: "a database that stores sessions" })
}
