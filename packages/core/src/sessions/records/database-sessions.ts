/** Records of database sessions. Their rows decide whether they are valid. */
import type { AdapterSession, SessionRecord } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { CoreServices, StoreServices } from "../../config/core-services.ts"
import { MissingAdapter } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import { computeEnd, type SessionFacts } from "../session-facts.ts"
import { waitForEnd } from "../session-strategy.ts"
import { hashToken } from "./record-details.ts"
import { recordUse, saveStartedSession } from "./record-session.ts"
import { getSessionRecords } from "./record-store.ts"

/**
 * Returns the facts of a session, and records that it is used unless the response cannot set cookies. Does not wait for
 * the store.
 */
export async function readRecordedFacts(
  services: StoreServices,
  { canSetCookies }: SessionContext,
  token: string,
  tokenFacts: SessionFacts,
  userId: unknown,
): Promise<SessionFacts> {
  const facts = { ...tokenFacts, id: await hashToken(token) }
  const end = computeEnd(services.config, facts)
  if (canSetCookies) recordUse(services, { userId: String(userId), facts, end })
  return facts
}

/** A session that begins. */
interface StartedSession {
  readonly token: string
  readonly facts: SessionFacts
  readonly end: number
  readonly continuedId: string | undefined
}

/**
 * Saves the record of a session that begins. Without it, the session could not be listed: then its row is deleted.
 *
 * @throws AdapterError
 */
export async function saveDatabaseRecord(
  services: StoreServices,
  context: SessionContext,
  signInResult: SignInResult,
  { token, facts, ...started }: StartedSession,
): Promise<void> {
  const userId = String(signInResult.user.id)
  const recordedFacts = { ...facts, id: await hashToken(token) }
  try {
    const session = { ...started, userId, facts: recordedFacts }
    await saveStartedSession(services, context, signInResult, session)
  } catch (error) {
    await waitForEnd(services, services.store.deleteSession(token))
    throw error
  }
}

/** Deletes the record of a session whose row was deleted. Never throws: a record without a row is not listed. */
export async function deleteDatabaseRecord(services: StoreServices, token: string): Promise<void> {
  const { store } = getSessionRecords(services)
  await waitForEnd(services, store.deleteSessionRecord(await hashToken(token)))
}

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
