/** Whether the user of a session has authenticated recently. */
import { SessionNotFresh } from "../errors.ts"
import type { SessionStart } from "../latchkey-auth.ts"
import type { Session } from "../types.ts"
import { getSessionInfo } from "./session-facts.ts"

/** How far the clock of the server that started the session may be ahead, in seconds. */
const clockTolerance = 60

const unknownTimeHint =
  "Pass the session as `getSession` returned it, not a copy. For database sessions, also set `session.absoluteTimeout` or " +
  "`session.records`, and sign in again."

/**
 * Checks that the user of a session authenticated recently, at the provider or with you.
 *
 * @param session as `getSession` returned it; or an object with `createdAt`, a `Date`, or `signedInAt`, in seconds
 * @param seconds how long ago that may be
 * @throws SessionNotFresh if it was longer ago, or is not known, or there is no session
 * @example
 * assertFreshSession(session, 600)
 */
export function assertFreshSession<SessionType extends object>(
  session: SessionType | null | undefined,
  seconds: number,
): asserts session is SessionType {
  const age = getAuthenticationAge(session)
  if (isRecent(age, seconds)) return
  const expected = `a session whose user authenticated at most ${seconds} seconds ago`
  if (!session) throw new SessionNotFresh({ expected, received: "no session" })
  if (Number.isNaN(age))
    throw new SessionNotFresh({
      expected,
      received: "a session without this time",
      hint: unknownTimeHint,
    })
  throw new SessionNotFresh({ expected, received: `${Math.floor(age)} seconds ago` })
}

/** Whether an authentication so many seconds ago is recent enough. */
export const isRecent = (age: number, maxAge: number): boolean =>
  age <= maxAge && age >= -clockTolerance

/** Returns how many seconds ago the user authenticated; NaN if that is not known. */
export function getAuthenticationAge(session: object | null | undefined): number {
  if (!session) return Number.NaN
  // What the library knows about its own sessions comes before their members.
  const { authTime } = getSessionInfo(session as Session) ?? {}
  const { createdAt, signedInAt }: SessionStart = session
  const date: unknown = authTime ?? createdAt
  const seconds: unknown = date instanceof Date ? date.getTime() / 1000 : signedInAt
  return typeof seconds === "number" ? Date.now() / 1000 - seconds : Number.NaN
}
