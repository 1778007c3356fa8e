/** `GET session` returns the session; `POST session` updates it. */
import { InvalidRequest, JWTSessionError, MissingCSRF } from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import type { SessionContext } from "../http/session-context.ts"
import { deleteSessionCookie, type SessionUpdate } from "../sessions/session-strategy.ts"
import type { Session } from "../types.ts"
import type { Action, ActionContext, Services } from "./action-context.ts"
import { verifyCsrfToken } from "./csrf.ts"

export const sessionAction: Action = async (context) => {
  const { request, logger } = context
  if (request.method === "GET")
    return jsonOutcome(await getCurrentSession(request, context, undefined))
  try {
    await verifyCsrfToken(context, "session")
  } catch (error) {
    if (!(error instanceof MissingCSRF)) throw error
    logger.error(error)
    return jsonOutcome(null, 400)
  }
  const update = { data: request.body["data"] }
  return jsonOutcome(await getCurrentSession(request, context, update))
}

/** Whether the browser has a session. One that cannot be checked does not count. */
export async function isSignedIn({ request, sessions }: ActionContext): Promise<boolean> {
  const { kind } = await sessions.readSession(request)
  return kind === "valid"
}

const staleCookieHint =
  "It was deleted. If this happens to all users, compare AUTH_SECRET on all servers."

/**
 * Returns the current session, or null if nobody is signed in. Deletes session cookies that are no longer valid.
 *
 * @throws JWTSessionError, SessionTokenError, AdapterError if the session could not be checked; it may still be valid
 * @throws InvalidRequest for an update if there are cookies of several users
 */
export async function getCurrentSession(
  context: SessionContext,
  { config, logger, sessions }: Services,
  update: SessionUpdate,
): Promise<Session | null> {
  if (update && (await sessions.hasSeveralUsers(context))) {
    throw new InvalidRequest(400, {
      expected: "one session",
      received: "cookies of several users: a sub-domain may have set one of them",
      hint: "Delete the cookies of the site and sign in again. `useHostPrefix` prevents this.",
    })
  }
  const read = await sessions.readSession(context)
  switch (read.kind) {
    case "none":
      return null
    case "valid":
      return await read.toPublicSession(update)
    case "expired":
      deleteSessionCookie(context)
      return null
    case "invalid": {
      const text = `The session cookie is not valid: ${read.reason}.`
      // A sealed cookie that cannot be opened is an error; a missing row only means that the session was ended.
      if (config.session.strategy === "jwt")
        logger.error(new JWTSessionError(text, { hint: staleCookieHint }))
      else logger.debug("session_invalid", text)
      if (!read.keepCookie) deleteSessionCookie(context)
      return null
    }
    case "unavailable":
      throw read.error
  }
}
