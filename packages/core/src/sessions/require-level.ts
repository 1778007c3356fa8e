/** Checks the level of sessions, for server code. */
import { SessionNotFresh } from "../errors.ts"
import { getFactorAge, isRecent } from "./session-facts.ts"

/** How recently the second factor must have been proven. */
export interface LevelOptions {
  /**
   * How long ago the second factor may have been proven, in seconds. By default, it counts as long as the session
   * lasts.
   */
  readonly maxAge?: number | undefined
}

/**
 * Checks that the user of a session has proven a second factor: when they signed in, or since then. Never falls back to
 * one factor for users who have no second one.
 *
 * @param session as `getSession` returned it
 * @param level 2: no other level can be required
 * @throws SessionNotFresh if they have not, or not recently enough, or there is no session
 * @example
 * requireLevel(session, 2, { maxAge: 600 })
 */
export function requireLevel<SessionType extends object>(
  session: SessionType | null | undefined,
  level: 2,
  { maxAge = Number.POSITIVE_INFINITY }: LevelOptions = {},
): asserts session is SessionType {
  if (level !== 2) throw new TypeError("The level that a session must have can only be 2")
  const age = getFactorAge(session)
  if (isRecent(age, maxAge)) return
  const limit = Number.isFinite(maxAge) ? ` at most ${maxAge} seconds ago` : ""
  const level1 = session ? "a session with one factor" : "no session"
  throw new SessionNotFresh({
    expected: `a session whose user has proven a second factor${limit}`,
    received: Number.isNaN(age) ? level1 : `${Math.floor(age)} seconds ago`,
    hint: "Send the user to `signin/second-factor?step-up=true` below the base path, as the guard of your framework does.",
  })
}
