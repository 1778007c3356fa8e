/** The session of a request, as its client receives it. */
import type { SessionServices } from "../config/core-services.ts"
import { JWTSessionError } from "../errors.ts"
import type { SessionContext } from "../http/session-context.ts"
import type { Session } from "../types.ts"
import type { SessionFacts } from "./session-facts.ts"
import { type ClientUpdate, deleteSessionCookie, type SessionStrategy } from "./session-strategy.ts"

/** The services of a configuration with the strategy that checks its sessions. */
export interface CheckServices extends SessionServices {
  readonly sessions: Pick<SessionStrategy, "checkSession">
}

/** The session that the client receives, null if the visitor is not signed in. */
export interface CurrentSession {
  readonly session: Session | null
  readonly facts?: SessionFacts
}

const noSession: CurrentSession = { session: null }

/**
 * Returns the current session. Deletes session cookies that are no longer valid.
 *
 * @throws JWTSessionError, SessionTokenError, AdapterError if the session could not be checked; it may still be valid
 */
export async function getCurrentSession(
  context: SessionContext,
  services: CheckServices,
  update?: ClientUpdate,
): Promise<CurrentSession> {
  const check = await services.sessions.checkSession(context)
  switch (check.kind) {
    case "none":
      return noSession
    case "valid":
      return { session: await check.toPublicSession(update), facts: check.facts }
    case "expired":
      deleteSessionCookie(context)
      return noSession
    case "invalid":
      logInvalidCookie(services, check.reason)
      if (!check.keepCookie) deleteSessionCookie(context)
      return noSession
    case "unavailable":
      throw check.error
  }
}

const staleCookieHint =
  "It was deleted. If this happens to all users, compare AUTH_SECRET on all servers."

/** Logs why a cookie holds no session. */
function logInvalidCookie({ config, logger }: SessionServices, reason: string): void {
  const text = `The session cookie is not valid: ${reason}.`
  // A sealed cookie that cannot be opened is an error; a missing row only means that the session was ended.
  if (config.session.strategy === "jwt")
    logger.error(new JWTSessionError(text, { hint: staleCookieHint }))
  else logger.debug("session_invalid", text)
}
