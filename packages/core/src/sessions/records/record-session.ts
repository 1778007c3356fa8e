/** Records sessions that begin and end. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { SessionFacts } from "../session-facts.ts"
import { hashUserId, revocationKey } from "./change-details.ts"
import { rememberUse } from "./last-seen.ts"
import { describeSession, hashProviderSession, serializeDetails } from "./record-details.ts"
import { getSessionRecords } from "./record-store.ts"

/** The sessions that sign-ins began: a test session has cookies for several schemes. */
const factsOfSignIns = new WeakMap<SignInResult, SessionFacts>()

/**
 * Adds to the facts of a sealed session what revocations of all sessions of its user need.
 *
 * @throws JWTSessionError if the store cannot be reached
 */
export async function addUserFacts(
  services: SessionServices,
  userId: string,
  signInResult: SignInResult,
  facts: SessionFacts,
): Promise<SessionFacts> {
  const known = factsOfSignIns.get(signInResult)
  if (known) return known
  const { feed } = getSessionRecords(services)
  const user = await hashUserId(userId)
  // The clock of the server that revoked the sessions of the user may be ahead.
  await feed.refresh()
  const epoch = Math.max(Date.now(), feed.known.getRevokedBefore(user))
  const completed = { ...facts, user, epoch }
  factsOfSignIns.set(signInResult, completed)
  return completed
}

/** A session that begins. */
export interface StartedSession {
  readonly id: string
  readonly userId: string
  readonly facts: SessionFacts
  /** When it ends if it is not used, in milliseconds since 1970. */
  readonly end: number
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
  { id, userId, facts, end }: StartedSession,
): Promise<void> {
  const records = getSessionRecords(services)
  const now = Date.now()
  const { epoch = now } = facts
  const sid = signInResult.authentication?.providerSessionId
  const { provider } = signInResult.account
  await records.store.saveSessionRecord({
    id,
    userId,
    createdAt: new Date(epoch),
    lastSeenAt: new Date(now),
    expires: new Date(end),
    providerSession: sid === undefined ? null : await hashProviderSession(provider, sid),
    details: serializeDetails(await describeSession(services, context, signInResult)),
  })
  rememberUse(records.lastSeen, id, now)
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
