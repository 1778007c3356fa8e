/** Records of database sessions, whose rows decide whether they are valid, and updates that server code stored for them. */
import type { SessionServices, StoreServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { Session } from "../../types.ts"
import { computeEnd, type SessionFacts } from "../session-facts.ts"
import { type ClientUpdate, waitForCleanup } from "../session-strategy.ts"
import { type StartedSession, saveStartedSession } from "./begin-session.ts"
import type { PendingUpdate, StoredUpdate } from "./known-changes.ts"
import { deriveSessionId, getRecordServices, recordUse, saveChange } from "./record-session.ts"

/**
 * Returns the facts of a database session, and records that it is used unless the response cannot set cookies. Does not
 * wait for the store.
 */
export async function readRecordedFacts(
  services: StoreServices,
  { canSetCookies }: SessionContext,
  token: string,
  tokenFacts: SessionFacts,
  userId: unknown,
): Promise<SessionFacts> {
  const facts = { ...tokenFacts, id: await deriveSessionId(token) }
  const end = computeEnd(services.config, facts)
  if (canSetCookies) recordUse(services, { userId: String(userId), facts, end })
  return facts
}

/**
 * Saves the record of a database session that begins, and returns its id. Without the record, the session could not be listed: then its row is
 * deleted.
 *
 * @throws AccessDenied, AdapterError, JWTSessionError as `saveStartedSession`
 */
export async function saveDatabaseRecord(
  services: StoreServices,
  context: SessionContext,
  signInResult: SignInResult,
  token: string,
  session: StartedSession,
): Promise<string> {
  const facts = { ...session.facts, id: await deriveSessionId(token) }
  try {
    await saveStartedSession(services, context, signInResult, { ...session, facts })
  } catch (error) {
    await waitForCleanup(services, services.store.deleteSession(token))
    throw error
  }
  return facts.id
}

/** Deletes the record of a session whose row was deleted. Never throws: a record without a row is not listed. */
export async function deleteDatabaseRecord(services: StoreServices, token: string): Promise<void> {
  const { store } = getRecordServices(services)
  await waitForCleanup(services, store.deleteSessionRecord(await deriveSessionId(token)))
}

/** Returns the updates that a database session has not received, as far as they are known. */
async function listDueUpdates(
  services: SessionServices,
  id: string,
): Promise<readonly StoredUpdate[]> {
  const { feed, options } = getRecordServices(services)
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
