/** Data that server code stores for a session, which receives it with its next check. */
import type { SessionServices } from "../../config/core-services.ts"
import { randomToken } from "../../crypto/random.ts"
import type { Session } from "../../types.ts"
import type { SessionFacts } from "../session-facts.ts"
import type { ClientUpdate } from "../session-strategy.ts"
import { type PendingUpdate, type StoredUpdate, updateKey } from "./known-changes.ts"
import { getSessionRecords, saveChange } from "./record-session.ts"

/** Maximum size of the data as JSON, in bytes: a change has room for 1 KiB. */
const maxDataSize = 900

/**
 * Stores data for a session.
 *
 * @throws TypeError for data that is too large, or no JSON
 * @throws AdapterError
 */
export async function storeUpdate(
  services: SessionServices,
  id: string,
  data: unknown,
): Promise<void> {
  const { feed } = getSessionRecords(services)
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

/** Returns the updates that a database session has not received, as far as they are known. */
async function listDueUpdates(
  services: SessionServices,
  id: string,
): Promise<readonly StoredUpdate[]> {
  const { feed, options } = getSessionRecords(services)
  feed.refreshInBackground(options)
  if (feed.known.listUpdates(id).length === 0) return []
  try {
    // Another process may have been first.
    await feed.refresh()
    return feed.known.listUpdates(id)
  } catch (error) {
    services.logger.error(error)
    return []
  }
}

/** Remembers that a database session has received updates. */
async function completeUpdates(
  services: SessionServices,
  updates: readonly StoredUpdate[],
): Promise<void> {
  for (const { key, kind, id, version } of updates) {
    const update: PendingUpdate = { kind, id, version, data: null, isDone: true }
    await saveChange(services, key, Math.max(Date.now(), version + 1), update)
  }
}

/**
 * Calls the `session` callback for each update that server code stored, and for that of the client. Returns what the
 * last call returned.
 */
export async function callWithUpdates(
  services: SessionServices,
  { id = "" }: SessionFacts,
  clientUpdate: ClientUpdate,
  call: (update: ClientUpdate) => Promise<Session | null>,
): Promise<Session | null> {
  const stored = await listDueUpdates(services, id)
  let session: Session | null = null
  for (const update of stored) session = await call(update)
  if (clientUpdate || stored.length === 0) session = await call(clientUpdate)
  // If this fails, the session receives them again.
  if (stored.length > 0)
    await completeUpdates(services, stored).catch((error: unknown) => services.logger.error(error))
  return session
}
