/** `GET session` returns the session; `POST session` updates it. */
import { InvalidRequest, MissingCSRF } from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import type { SessionContext } from "../http/session-context.ts"
import { type CurrentSession, getCurrentSession } from "../sessions/current-session.ts"
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
  const { session } = await updateCurrentSession(request, context, request.body["data"])
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
  if (await services.sessions.hasSeveralUsers(context)) {
    throw new InvalidRequest(400, {
      expected: "one session",
      received: "cookies of several users: a sub-domain may have set one of them",
      hint: "Delete the cookies of the site and sign in again. `useHostPrefix` prevents this.",
    })
  }
  return getCurrentSession(context, services, { data })
}

/** Whether the browser has a session. One that cannot be checked does not count. */
export async function isSignedIn({ request, sessions }: ActionContext): Promise<boolean> {
  const { kind } = await sessions.checkSession(request)
  return kind === "valid"
}
