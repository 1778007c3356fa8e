/** `GET session` returns the session; `POST session` updates it. */

import { reportSecurityEvent } from "../config/report-security-event.ts"
import { InvalidRequest, MissingCSRF } from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import type { SessionContext } from "../http/session-context.ts"
import { type CurrentSession, getCurrentSession } from "../sessions/current-session.ts"
import type { Session } from "../types.ts"
import type { Action, ActionContext, Services } from "./action-context.ts"
import { verifyCsrfToken } from "./csrf.ts"

export const sessionAction: Action = async (context) => {
  const { request, logger } = context
  if (request.method === "GET") {
    const { session } = await getCurrentSession(request, context)
    return jsonOutcome(session)
  }
  try {
    await verifyCsrfToken(context, "session")
  } catch (error) {
    if (!(error instanceof MissingCSRF)) throw error
    logger.error(error)
    return jsonOutcome(null, 400)
  }
  const { session, facts } = await updateCurrentSession(request, context, request.body["data"])
  if (session && facts) {
    const { userId, id: sessionId } = facts
    const known = { userId: userId || undefined, sessionId }
    await reportSecurityEvent(context, "session-updated", known, request)
  }
  return jsonOutcome(session)
}

/**
 * Updates the current session and returns it.
 *
 * @throws JWTSessionError, SessionTokenError, AdapterError if the session could not be checked; it may still be valid
 * @throws InvalidRequest if there are cookies of several users
 */
export async function updateCurrentSession(
  context: SessionContext,
  services: Services,
  data: unknown,
): Promise<CurrentSession> {
  await assertOneUser(context, services)
  return getCurrentSession(context, services, { data })
}

/** @throws InvalidRequest if there are cookies of several users */
export async function assertOneUser(context: SessionContext, services: Services): Promise<void> {
  if (!(await services.sessions.hasSeveralUsers(context))) return
  throw new InvalidRequest(400, {
    expected: "one session",
    received: "cookies of several users: a sub-domain may have set one of them",
    hint: "Delete the cookies of the site and sign in again. `useHostPrefix` prevents this.",
  })
}

/** Whether the browser has a session. One that cannot be checked does not count. */
export async function isSignedIn({ request, sessions }: ActionContext): Promise<boolean> {
  const { kind } = await sessions.checkSession(request)
  return kind === "valid"
}

/** Returns the current session; null if there is none, or it cannot be checked. */
export async function readShownSession(context: ActionContext): Promise<Session | null> {
  try {
    const { session } = await getCurrentSession(context.request, context)
    return session
  } catch (error) {
    context.logger.error(error) // a session that cannot be checked must not prevent a sign-in
    return null
  }
}

/** Returns the address or name of the user. */
export function getUserLabel(session: Session | null): string | undefined {
  return session?.user?.email ?? session?.user?.name ?? undefined
}
