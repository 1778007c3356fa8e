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
      /** What `auth.sessions.update` stored and this token has not received. */
      readonly updates: readonly SessionUpdateChange[]
    }
  | { readonly kind: "expired" }
  | { readonly kind: "unavailable"; readonly error: AuthError }

/**
 * Checks a token, and records that its session is used. Asks the store only if what is known is too old.
 *
 * @param computeEnd returns when the session ends if it is not used again, in milliseconds since 1970
 */
export async function checkToken(
  services: SessionServices,
  token: JWT,
  oldFacts: SessionFacts,
  userId: string,
  computeEnd: () => number,
): Promise<TokenCheck> {
  const { feed, options } = getSessionRecords(services)
  try {
    const waiting = feed.ensureCurrent(options)
    if (waiting) await waiting
  } catch (error) {
    if (error instanceof JWTSessionError) return { kind: "unavailable", error }
    throw error
  }
  const isChanged = oldFacts.id === undefined || oldFacts.user === undefined
  const facts = isChanged ? await deriveFacts(token, oldFacts, userId) : oldFacts
  if (feed.known.isRevoked(facts)) return { kind: "expired" }
  const { id = "" } = facts
  recordUse(services, { id, userId, facts, computeEnd })
  return {
    kind: "valid",
    token: isChanged ? { ...token, ...toFactsClaim(facts) } : token,
    facts,
    isChanged,
    updates: feed.known.listUpdates(id, facts.updated),
  }
}

/**
 * Returns the facts of a session from before sessions were recorded: the same for concurrent requests with a token, so
 * that they agree on its id.
 */
async function deriveFacts(
  { jti, iat, exp, signedInAt = 0 }: JWT,
  facts: SessionFacts,
  userId: string,
): Promise<SessionFacts> {
  return {
    ...facts,
    id: await hashToken(JSON.stringify([jti ?? [userId, iat, exp]])),
    user: await hashUserId(userId),
    epoch: signedInAt * 1000,
  }
}
