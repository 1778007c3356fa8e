/** Records when sessions are used, in the background. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionFacts } from "../session-facts.ts"
import { serializeDetails } from "./record-details.ts"
import { getSessionRecords } from "./record-store.ts"

/** Maximum number of sessions whose last use a process remembers. */
const maxRemembered = 10_000

/** A session that is used. */
export interface UsedSession {
  readonly id: string
  readonly userId: string
  readonly facts: SessionFacts
  /** Returns when it ends if it is not used again, in milliseconds since 1970; `NaN` if it cannot be extended. */
  readonly computeEnd: () => number
}

/** Records that a session is used, at most once in an interval. Never throws, and does not wait for the store. */
export function recordUse(services: SessionServices, session: UsedSession): void {
  const { lastSeen, options } = getSessionRecords(services)
  const now = Date.now()
  const last = lastSeen.get(session.id)
  if (last !== undefined && now - last < options.lastSeenInterval * 1000) return
  rememberUse(lastSeen, session.id, now)
  saveUse(services, session, now).catch((error: unknown) => services.logger.error(error))
}

/** Remembers a use that is recorded already. */
export function rememberUse(lastSeen: Map<string, number>, id: string, now: number): void {
  lastSeen.delete(id)
  lastSeen.set(id, now)
  const [oldest = id] = lastSeen.keys()
  if (lastSeen.size > maxRemembered) lastSeen.delete(oldest)
}

/** Saves a use. A session from before the option, or whose record was lost, gets a record. */
async function saveUse(
  services: SessionServices,
  { id, userId, facts, computeEnd }: UsedSession,
  now: number,
): Promise<void> {
  const { store } = getSessionRecords(services)
  const end = computeEnd()
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
