/** Records of database sessions. Their rows decide whether they are valid. */
import type { StoreServices } from "../../config/core-services.ts"
import { memoize } from "../../crypto/memoize.ts"
import { SessionTokenError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import type { SignInResult } from "../../proven-identity.ts"
import {
  getAbsoluteEnd,
  getLifetime,
  readFactsOfToken,
  type SessionFacts,
} from "../session-facts.ts"
import { recordUse } from "./last-seen.ts"
import { deleteRecord, saveStartedSession } from "./record-session.ts"
import { hashToken } from "./session-id.ts"

/** Maximum number of sessions whose facts a process remembers. */
const maxCachedFacts = 1000

const readFacts = memoize(
  async (token: string): Promise<SessionFacts> => ({
    ...readFactsOfToken(token),
    id: await hashToken(token),
  }),
  maxCachedFacts,
)

/**
 * Returns the facts of a session, and records that it is used unless the response cannot set cookies. Does not wait for
 * the store.
 */
export async function readRecordedFacts(
  services: StoreServices,
  token: string,
  userId: unknown,
  canSetCookies: boolean,
): Promise<SessionFacts> {
  const { config } = services
  const facts = await readFacts(token)
  const absoluteEnd = getAbsoluteEnd(config, facts)
  const computeEnd = () =>
    Math.min(Date.now() + getLifetime(config, facts).maxAge * 1000, absoluteEnd)
  const { id = "" } = facts
  if (absoluteEnd <= Date.now() || !canSetCookies) return facts
  recordUse(services, { id, userId: String(userId), facts, computeEnd })
  return facts
}

/** A row whose session begins. */
interface StartedRow {
  readonly context: SessionContext
  readonly signInResult: SignInResult
  readonly token: string
  readonly facts: SessionFacts
  readonly expires: Date
  readonly continuedId: string | undefined
}

/**
 * Saves the record of a session that begins. Without it, the session could not be listed: then its row is deleted.
 *
 * @throws AdapterError
 */
export async function saveRowRecord(
  services: StoreServices,
  { context, signInResult, token, facts, expires, continuedId }: StartedRow,
): Promise<void> {
  const userId = String(signInResult.user.id)
  const id = await hashToken(token)
  const started = { id, userId, facts, end: expires.getTime(), continuedId }
  try {
    await saveStartedSession(services, context, signInResult, started)
  } catch (error) {
    await finishInTime(services, services.store.deleteSession(token))
    throw error
  }
}

/** Deletes the record of a session whose row was deleted. Never throws: a record without a row is not listed. */
export async function deleteRowRecord(services: StoreServices, token: string): Promise<void> {
  await finishInTime(services, deleteRecord(services, await hashToken(token)))
}

/** Waits for a deletion, but not long, and logs its failure. */
async function finishInTime({ logger }: StoreServices, deleted: Promise<unknown>): Promise<void> {
  const message = "The old session was not deleted in time."
  const createTimeoutError = () => new SessionTokenError(message, { after: backgroundTimeout })
  await withTimeout(backgroundTimeout, deleted, createTimeoutError).catch((error: unknown) =>
    logger.error(error),
  )
}
