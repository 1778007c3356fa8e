/** Whether the user of a session has authenticated recently. */
import { SessionNotFresh } from "../errors.ts"
import type { SessionStart } from "../latchkey-auth.ts"

/** How far the clock of the server that started the session may be ahead, in seconds. */
const clockTolerance = 60

/**
 * Checks that the user of a session authenticated at most `maxAge` seconds ago.
 *
 * @throws SessionNotFresh if it was longer ago, or is not known
 */
export function assertFreshSession(session: SessionStart, maxAge: number): void {
  const age = Date.now() / 1000 - getAuthenticationTime(session)
  if (age <= maxAge && age >= -clockTolerance) return
  const received = Number.isNaN(age)
    ? "a session without `createdAt` or `signedInAt`"
    : `one that began ${Math.floor(age)} seconds ago`
  throw new SessionNotFresh({
    expected: `a session that began at most ${maxAge} seconds ago`,
    received,
  })
}

/** Returns when the user authenticated, in seconds since 1970; NaN if that is not known. */
function getAuthenticationTime(session: SessionStart): number {
  const { createdAt, signedInAt } = session ?? {} // applications without TypeScript may pass `null`
  if (createdAt instanceof Date) return createdAt.getTime() / 1000
  return typeof signedInAt === "number" ? signedInAt : Number.NaN
}
