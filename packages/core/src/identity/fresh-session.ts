/** Checks whose session a change of accounts and factors comes from, and when its user authenticated. */
import { SessionNotFresh } from "../errors.ts"
import type { UnlinkInput } from "../latchkey-auth.ts"
import { assertFreshSession, getSessionInfo } from "../sessions/session-facts.ts"
import type { Session } from "../types.ts"

/** How long ago the user may have authenticated by default, in seconds. */
export const defaultMaxAge = 600

/**
 * Checks that a user has authenticated recently, and whose session it is, because an attacker's own session is fresh, too.
 * With an object that is no session, the application says that it has authenticated the person itself.
 *
 * @throws SessionNotFresh also for a session of another user
 */
export function assertFreshSessionOfUser({
  session,
  userId,
  maxAge = defaultMaxAge,
}: Pick<UnlinkInput, "session" | "userId" | "maxAge">): void {
  assertFreshSession(session, maxAge)
  const info = getSessionInfo(session as Session)
  if (!info || info.userId === String(userId)) return
  throw new SessionNotFresh({
    expected: "the session of the user whose account or factor it is",
    received: info.userId ? "the session of another user" : "a session that names no user",
    hint: "For an administrator, pass `{ createdAt: getSessionInfo(session)?.authTime }`.",
  })
}
