/** Checks that a sealed session was not revoked. */
import type { SessionServices } from "../../config/core-services.ts"
import { type AuthError, JWTSessionError } from "../../errors.ts"
import type { JWT } from "../../types.ts"
import { type SessionFacts, toFactsClaim } from "../session-facts.ts"
import { hashUserId, type SessionUpdateChange } from "./change-details.ts"
import { recordUse } from "./last-seen.ts"
import { getSessionRecords } from "./record-store.ts"
import { hashToken } from "./session-id.ts"

export type TokenCheck =
  | {
      readonly kind: "valid"
      readonly token: JWT
      readonly facts: SessionFacts
      /** Whether the token has to be written, because the session got an id. */
      readonly isChanged: boolean
      /** Updates that `auth.sessions.update` stored and this token has not received. */
      readonly updates: readonly SessionUpdateChange[]
    }
  | { readonly kind: "expired" }
  | { readonly kind: "unavailable"; readonly error: AuthError }

/** A session whose token was opened. */
interface OpenedSession {
  readonly token: JWT
  readonly facts: SessionFacts
  readonly userId: string
  /** Returns when the session ends if it is not used again, in milliseconds since 1970. */
  readonly computeEnd: () => number
  /** Whether the use is recorded. */
  readonly canSetCookies: boolean
}

/**
 * Checks a session, and records that it is used unless the response cannot set cookies. Asks the store only if what is known is too old; otherwise, it returns
 * no promise.
 */
export function checkToken(
  services: SessionServices,
  session: OpenedSession,
): TokenCheck | Promise<TokenCheck> {
  const { feed, options } = getSessionRecords(services)
  try {
    const waiting = feed.ensureCurrent(options)
    return waiting
      ? waiting.then(() => identify(services, session), toUnavailable)
      : identify(services, session)
  } catch (error) {
    return toUnavailable(error)
  }
}

function toUnavailable(error: unknown): TokenCheck {
  if (error instanceof JWTSessionError) return { kind: "unavailable", error }
  throw error
}

/** Gives the session an id if it is from before sessions were recorded. */
function identify(
  services: SessionServices,
  session: OpenedSession,
): TokenCheck | Promise<TokenCheck> {
  const { token, facts, userId } = session
  if (facts.id !== undefined && facts.user !== undefined) return accept(services, session, false)
  const { secrets } = services.config.jwt
  const deriving = secrets.map((secret) => deriveFacts(token, facts, userId, secret))
  return Promise.all(deriving).then(([derived = facts, ...earlier]) => {
    // It may have been revoked under the id that followed from a secret that was replaced since.
    const { known } = getSessionRecords(services).feed
    if (earlier.some((each) => known.isRevoked(each))) return { kind: "expired" }
    const identified = { ...token, ...toFactsClaim(derived) }
    return accept(services, { ...session, token: identified, facts: derived }, true)
  })
}

/** Accepts the session, unless it was revoked. */
function accept(
  services: SessionServices,
  { token, facts, userId, computeEnd, canSetCookies }: OpenedSession,
  isChanged: boolean,
): TokenCheck {
  const { known } = getSessionRecords(services).feed
  if (known.isRevoked(facts)) return { kind: "expired" }
  const { id = "" } = facts
  if (canSetCookies) recordUse(services, { id, userId, facts, computeEnd })
  return { kind: "valid", token, facts, isChanged, updates: known.listUpdates(id, facts.updated) }
}

/**
 * Returns the facts of a session from before sessions were recorded: the same for all tokens that it has had, so that
 * concurrent requests agree on its id, and copies of an earlier cookie end with it.
 */
async function deriveFacts(
  { jti, iat, exp, signedInAt = 0 }: JWT,
  facts: SessionFacts,
  userId: string,
  secret: string,
): Promise<SessionFacts> {
  return {
    ...facts,
    // With the secret, so that nobody can compute the id of another user's session.
    id: await hashToken(
      JSON.stringify([secret, ...(userId ? [userId, signedInAt] : [jti ?? [iat, exp]])]),
    ),
    user: await hashUserId(userId),
    epoch: signedInAt * 1000,
  }
}
