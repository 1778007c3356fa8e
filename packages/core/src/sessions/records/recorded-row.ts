/** Database sessions that are recorded. Their rows decide whether they are valid. */
import type { SessionServices } from "../../config/core-services.ts"
import type { Session } from "../../types.ts"
import type { SessionFacts } from "../session-facts.ts"
import type { SessionUpdate } from "../session-strategy.ts"
import { recordUse } from "./last-seen.ts"
import { completeUpdates, listDueUpdates } from "./stored-updates.ts"

/** Records that a session is used. Does not wait for the store. */
export async function recordRowUse(
  services: SessionServices,
  userId: string,
  facts: SessionFacts,
  end: number,
): Promise<void> {
  const { id = "" } = facts
  // A session whose beginning is not known may not be extended.
  if (end) recordUse(services, { id, userId: String(userId), facts, end })
}

/**
 * Calls the `session` callback for each update that server code stored, and for that of the client. Returns what the
 * last call returned.
 */
export async function callWithUpdates(
  services: SessionServices,
  { id = "" }: SessionFacts,
  clientUpdate: SessionUpdate,
  call: (update: SessionUpdate) => Promise<Session | null>,
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
