/** Records sessions that begin and end. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { SessionFacts } from "../session-facts.ts"
import { revocationKey } from "./change-details.ts"
import { rememberUse } from "./last-seen.ts"
import {
  describeDevice,
  describeSignIn,
  findProviderHash,
  parseDetails,
  type RecordDetails,
  serializeDetails,
} from "./record-details.ts"
import { getSessionRecords } from "./record-store.ts"

/** A session that begins. */
export interface StartedSession {
  readonly id: string
  readonly userId: string
  readonly facts: SessionFacts
  /** When it ends if it is not used, in milliseconds since 1970. */
  readonly end: number
  /** Id of the session that it continues, if its user has added an account. */
  readonly continuedId?: string | undefined
}

/**
 * Saves the record of a session that begins.
 *
 * @throws AdapterError
 */
export async function saveStartedSession(
  services: SessionServices,
  context: SessionContext,
  signInResult: SignInResult,
  { id, userId, facts, end, continuedId }: StartedSession,
): Promise<void> {
  const records = getSessionRecords(services)
  const now = Date.now()
  const { epoch = now } = facts
  const { providerSession, details } = await findSignIn(services, signInResult, continuedId)
  await records.store.saveSessionRecord({
    id,
    userId,
    createdAt: new Date(epoch),
    lastSeenAt: new Date(now),
    expires: new Date(end),
    providerSession,
    details: serializeDetails({
      ...details,
      ...(await describeDevice(services, context)),
      authTime: facts.authTime,
    }),
  })
  rememberUse(records.lastSeen, id, now)
}

/** Returns the sign-in that a session began with. An account that is added to a session begins none. */
async function findSignIn(
  services: SessionServices,
  signInResult: SignInResult,
  continuedId: string | undefined,
): Promise<{ readonly providerSession: string | null; readonly details: RecordDetails }> {
  if (!signInResult.isAddedAccount)
    return {
      providerSession: await findProviderHash(signInResult),
      details: describeSignIn(signInResult),
    }
  const { store } = getSessionRecords(services)
  const record = continuedId === undefined ? null : await store.getSessionRecord(continuedId)
  // The database may compare ids loosely.
  if (record?.id !== continuedId || !record) return { providerSession: null, details: {} }
  const { provider, method, providerAccountId, acr, amr } = parseDetails(record)
  const details = { provider, method, providerAccountId, acr, amr }
  return { providerSession: record.providerSession, details }
}

/** Deletes the record of a session whose row was deleted. Returns whether there was one. */
export function deleteRecord(services: SessionServices, id: string): Promise<boolean> {
  return getSessionRecords(services).store.deleteSessionRecord(id)
}

/**
 * Revokes a sealed session, so that copies of its cookie are refused, too. Returns whether it had a record.
 *
 * @param latestEnd when the last token of the session ends, if that is later than those of new tokens
 * @throws AdapterError
 */
export async function revokeSealedSession(
  services: SessionServices,
  id: string,
  latestEnd = 0,
): Promise<boolean> {
  const { feed } = getSessionRecords(services)
  const now = Date.now()
  await feed.save({
    key: revocationKey(id),
    changedAt: new Date(now),
    expires: new Date(Math.max(latestEnd, computeLatestEnd(services, now))),
    details: "{}",
  })
  return deleteRecord(services, id)
}

/** How much longer a change is kept than the last token may last: another process may not know of it yet, in seconds. */
const expiryMargin = 600

/** Returns when the last token of a session ends that is renewed now or soon, in milliseconds since 1970. */
export function computeLatestEnd({ config }: SessionServices, now: number): number {
  const { session, jwt } = config
  const staleness = session.records?.maxStaleness ?? 0
  return now + (Math.max(session.maxAge, jwt.maxAge) + staleness + expiryMargin) * 1000
}
