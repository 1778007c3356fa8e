/** Records of sealed sessions: their checks, and those that begin and end with a request. */
import type { SessionServices } from "../../config/core-services.ts"
import { JWTSessionError, SignOutError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { CheckedToken } from "../jwt/update-session.ts"
import { type SessionFacts, toFactsClaim } from "../session-facts.ts"
import { type CheckResult, type ValidSession, waitForCleanup } from "../session-strategy.ts"
import { hashUserId } from "./known-changes.ts"
import {
  deriveSessionId,
  getRecordServices,
  recordUse,
  revokeSealedSession,
} from "./record-session.ts"

export type RecordCheck =
  | { readonly kind: "valid"; readonly checked: CheckedToken }
  | Exclude<CheckResult, ValidSession>

/**
 * Checks that a session was not revoked, and records that it is used unless the response cannot set cookies. Asks the
 * store only if what is known is too old.
 *
 * @param end when the session ends if it is not used again, in milliseconds since 1970
 */
export async function checkToken(
  services: SessionServices,
  { canSetCookies }: SessionContext,
  checked: CheckedToken,
  userId: string,
  end: number,
): Promise<RecordCheck> {
  const { feed, options } = getRecordServices(services)
  try {
    await feed.ensureCurrent(options)
  } catch (error) {
    if (error instanceof JWTSessionError) return { kind: "unavailable", error }
    throw error
  }
  const { known } = feed
  const { id, user } = checked.facts
  const hasId = id !== undefined && user !== undefined
  const identified = hasId ? [checked] : await identify(services, checked, userId)
  // It may have been revoked under the id that followed from a secret that was replaced since.
  if (identified.some(({ facts }) => known.isRevoked(facts))) return { kind: "expired" }
  const [current = checked] = identified
  const { facts } = current
  if (canSetCookies) recordUse(services, { userId, facts, end })
  const storedUpdates = known.listUpdates(facts.id ?? "", facts.updated)
  return { kind: "valid", checked: { ...current, storedUpdates } }
}

/**
 * Gives a session that is older than the option `session.records` an id: one for each secret, derived from it. All tokens
 * that it has had get the same, so that concurrent requests agree on its id, and copies of an earlier cookie end with it.
 */
async function identify(
  { config }: SessionServices,
  checked: CheckedToken,
  userId: string,
): Promise<CheckedToken[]> {
  const { jti, iat, exp, signedInAt = 0 } = checked.token
  const user = await hashUserId(userId)
  const identifying = config.jwt.secrets.map(async (secret) => {
    // With the secret, so that users cannot compute the id of another user's session.
    const parts = [secret, ...(userId ? [userId, signedInAt] : [jti ?? [iat, exp]])]
    const id = checked.facts.id ?? (await deriveSessionId(JSON.stringify(parts)))
    const facts = { ...checked.facts, id, user, epoch: signedInAt * 1000 }
    const token = { ...checked.token, ...toFactsClaim(facts) }
    return { ...checked, token, facts, isRenewalDue: true }
  })
  return Promise.all(identifying)
}

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
  userId: string,
  facts: SessionFacts,
): Promise<SessionFacts> {
  const known = factsOfSignIns.get(signInResult)
  if (known) return known
  const { feed } = getRecordServices(services)
  const user = await hashUserId(userId)
  if (!signInResult.snapshot) await feed.refresh()
  // The clock of the server that revoked the sessions of the user may be ahead.
  const epoch = Math.max(Date.now(), feed.known.getRevokedBefore(user))
  const completed = { ...facts, user, epoch }
  factsOfSignIns.set(signInResult, completed)
  return completed
}

/** Revokes the session that the browser had, once another has begun. Never throws. */
export async function endReplacedSession(
  services: SessionServices,
  old: CheckResult,
): Promise<void> {
  if (old.kind === "valid")
    await waitForCleanup(services, revokeSealedSession(services, old.facts.id ?? ""))
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
  const { feed } = getRecordServices(services)
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
  check: CheckResult,
): Promise<void> {
  try {
    if (check.kind === "unavailable") throw check.error
    if (check.kind === "valid") await revokeSealedSession(services, check.facts.id ?? "")
  } catch (cause) {
    throw new SignOutError({ summary: "The session could not be revoked." }, { cause })
  }
}
