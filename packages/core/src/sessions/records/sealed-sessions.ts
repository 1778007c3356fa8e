/** Records of sealed sessions that begin and end with a request. */
import type { SessionServices } from "../../config/core-services.ts"
import { JWTSessionError, SignOutError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { SessionFacts } from "../session-facts.ts"
import type { SessionReadResult, ValidSession } from "../session-strategy.ts"
import { hashUserId } from "./change-details.ts"
import { revokeSealedSession, saveStartedSession } from "./record-session.ts"
import { getSessionRecords } from "./record-store.ts"

/** The sessions that sign-ins began: a test session has cookies for several schemes. */
const factsOfSignIns = new WeakMap<SignInResult, SessionFacts>()

/**
 * Adds to the facts of a session what revocations of all sessions of its user need.
 *
 * @throws JWTSessionError if the store cannot be reached
 */
export async function addUserFacts(
  services: SessionServices,
  signInResult: SignInResult,
  facts: SessionFacts,
): Promise<SessionFacts> {
  const known = factsOfSignIns.get(signInResult)
  if (known) return known
  const { feed } = getSessionRecords(services)
  const user = await hashUserId(getUserId(signInResult))
  // The clock of the server that revoked the sessions of the user may be ahead.
  await feed.refresh()
  const epoch = Math.max(Date.now(), feed.known.getRevokedBefore(user))
  const completed = { ...facts, user, epoch }
  factsOfSignIns.set(signInResult, completed)
  return completed
}

/**
 * Records a session that begins, and revokes the one that the browser had.
 *
 * @param end when the session ends if it is not used, in milliseconds since 1970; undefined if the application refused it
 * @throws AdapterError if it cannot be recorded
 */
export async function replaceSealedSession(
  services: SessionServices,
  context: SessionContext,
  signInResult: SignInResult,
  facts: SessionFacts,
  end: number | undefined,
  old: SessionReadResult,
): Promise<void> {
  const { id = "" } = facts
  const userId = getUserId(signInResult)
  const continuedId = old.kind === "valid" ? old.facts.id : undefined
  if (end !== undefined)
    await saveStartedSession(services, context, signInResult, {
      id,
      userId,
      facts,
      end,
      continuedId,
    })
  if (old.kind !== "valid") return
  const revoked = revokeSealedSession(services, old.facts.id ?? "")
  const createError = () => new JWTSessionError("The old session was not revoked in time.")
  await withTimeout(backgroundTimeout, revoked, createError).catch((error: unknown) =>
    services.logger.error(error),
  )
}

/**
 * Whether a session has been revoked until now. Asks the store.
 *
 * @throws JWTSessionError if the store cannot be reached
 */
export async function isSealedSessionRevoked(
  services: SessionServices,
  { facts }: ValidSession,
): Promise<boolean> {
  const { feed } = getSessionRecords(services)
  await feed.refresh()
  return feed.known.isRevoked(facts)
}

/**
 * Revokes the session of a browser that signs out.
 *
 * @throws SignOutError if it cannot be revoked
 */
export async function endSealedSession(
  services: SessionServices,
  read: SessionReadResult,
): Promise<void> {
  try {
    if (read.kind === "unavailable") throw read.error
    if (read.kind === "valid") await revokeSealedSession(services, read.facts.id ?? "")
  } catch (cause) {
    throw new SignOutError("The session could not be revoked.", { cause })
  }
}

const getUserId = ({ user }: SignInResult): string => String(user.id ?? user.email ?? "")
