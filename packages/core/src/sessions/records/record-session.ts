/** Records sessions that begin, are used and end. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { SessionFacts } from "../session-facts.ts"
import { revocationKey } from "./known-changes.ts"
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
interface StartedSession {
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
  { userId, facts, end, continuedId }: StartedSession,
): Promise<void> {
  const records = getSessionRecords(services)
  const now = Date.now()
  const { id = "", epoch = now } = facts
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

/** Maximum number of sessions whose last use a process remembers. */
const maxRemembered = 10_000

/** A session that is used. */
interface UsedSession {
  readonly userId: string
  readonly facts: SessionFacts
  /** When it ends if it is not used again, in milliseconds since 1970; `NaN` if it cannot be extended. */
  readonly end: number
}

/** Records that a session is used, at most once in an interval. Never throws, and does not wait for the store. */
export function recordUse(services: SessionServices, session: UsedSession): void {
  const { lastSeen, options } = getSessionRecords(services)
  const { id = "" } = session.facts
  const now = Date.now()
  const last = lastSeen.get(id)
  if (last !== undefined && now - last < options.lastSeenInterval * 1000) return
  rememberUse(lastSeen, id, now)
  saveUse(services, id, session, now).catch((error: unknown) => services.logger.error(error))
}

/** Remembers a use that is recorded already. */
function rememberUse(lastSeen: Map<string, number>, id: string, now: number): void {
  lastSeen.delete(id)
  lastSeen.set(id, now)
  const [oldest = id] = lastSeen.keys()
  if (lastSeen.size > maxRemembered) lastSeen.delete(oldest)
}

/** Saves a use. A session without a record gets one: it is older than the option, or its record was lost. */
async function saveUse(
  services: SessionServices,
  id: string,
  { userId, facts, end }: UsedSession,
  now: number,
): Promise<void> {
  const { store } = getSessionRecords(services)
  const use = { id, lastSeenAt: new Date(now) }
  const expires = new Date(end)
  if (await store.updateSessionRecord(end ? { ...use, expires } : use)) return
  const { createdAt, epoch = (createdAt ?? now / 1000) * 1000, provider, authTime } = facts
  await store.saveSessionRecord({
    ...use,
    expires: end ? expires : new Date(now + services.config.session.maxAge * 1000),
    userId,
    createdAt: new Date(epoch),
    providerSession: null,
    details: serializeDetails({ provider, authTime }),
  })
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
  const { feed, store } = getSessionRecords(services)
  const now = Date.now()
  await feed.save({
    key: revocationKey(id),
    changedAt: new Date(now),
    expires: new Date(Math.max(latestEnd, computeLatestEnd(services, now))),
    details: "{}",
  })
  return store.deleteSessionRecord(id)
}

/** How much longer a change is kept than the last token may last: another process may not know of it yet, in seconds. */
const expiryMargin = 600

/** Returns when the last token of a session ends that is renewed now or soon, in milliseconds since 1970. */
export function computeLatestEnd({ config }: SessionServices, now: number): number {
  const { session, jwt } = config
  const staleness = session.records?.maxStaleness ?? 0
  return now + (Math.max(session.maxAge, jwt.maxAge) + staleness + expiryMargin) * 1000
}
