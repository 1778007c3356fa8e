/** The session of a request, as its client receives it. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { SessionServices } from "../config/core-services.ts"
import type { SessionConfig } from "../config/resolved-config.ts"
import { JWTSessionError } from "../errors.ts"
import { addRequest } from "../http/request-view.ts"
import type { SessionContext } from "../http/session-context.ts"
import { isDate, isObject } from "../objects.ts"
import type { JWT, Session } from "../types.ts"
import type { KnownSessionFacts } from "./session-facts.ts"
import {
  type ClientUpdate,
  deleteSessionCookie,
  type InvalidSession,
  type SessionStrategy,
} from "./session-strategy.ts"

/** The session that the client receives, null if the visitor is not signed in. */
export interface CurrentSession {
  readonly session: Session | null
  readonly facts?: KnownSessionFacts
}

const noSession: CurrentSession = { session: null }

/**
 * Returns the current session. Deletes session cookies that are no longer valid.
 *
 * @throws JWTSessionError, SessionTokenError, AdapterError if the session could not be checked; it may still be valid
 */
export async function getCurrentSession(
  context: SessionContext,
  services: SessionServices & { readonly sessions: Pick<SessionStrategy, "checkSession"> },
  update?: ClientUpdate,
): Promise<CurrentSession> {
  const check = await services.sessions.checkSession(context)
  switch (check.kind) {
    case "none":
      return noSession
    case "valid": {
      const { userId, facts } = check
      return { session: await check.toPublicSession(update), facts: { ...facts, userId } }
    }
    case "expired":
      deleteSessionCookie(context)
      return noSession
    case "invalid":
      logInvalidCookie(services, check)
      if (!check.keepCookie && !check.isForeign) deleteSessionCookie(context)
      return noSession
    case "unavailable":
      throw check.error
  }
}

/** Those that have reported a cookie under another secret. It stays, so each request would report it again. */
const loggersOfForeignCookies = new WeakSet<SessionServices["logger"]>()

/** Logs why a cookie holds no session. */
function logInvalidCookie(
  { config, logger }: SessionServices,
  { reason, isForeign }: InvalidSession,
): void {
  const summary = `The session cookie is not valid: ${reason}.`
  const isReported = loggersOfForeignCookies.has(logger)
  // A sealed cookie that cannot be opened is an error; a missing row only means that the session was ended.
  if (config.session.strategy === "database" || (isForeign && isReported))
    logger.debug("session_invalid", summary)
  else logger.error(new JWTSessionError({ summary, ...(isForeign && { hint: foreignCookieHint }) }))
  if (isForeign) loggersOfForeignCookies.add(logger)
}

const foreignCookieHint = "Another application may have set it, or AUTH_SECRET differs."

/**
 * Calls the `session` callback and checks its result. Returns the session for the client; null when the callback returned none.
 *
 * @throws TypeError when the result is neither a session nor null; what the callback throws
 */
export async function callSessionCallback(
  { callbacks, customCallbacks }: SessionConfig,
  strategyParams:
    | { session: AdapterSession & { user: AdapterUser }; user: AdapterUser }
    | { session: Session; token: JWT },
  update: ClientUpdate,
  context: SessionContext,
): Promise<Session | null> {
  const updateParams = { newSession: update?.data, ...(update && { trigger: "update" }) }
  // The types of Auth.js describe both strategies at once.
  const params = { ...strategyParams, ...updateParams } as unknown as Parameters<
    typeof callbacks.session
  >[0]
  if (customCallbacks.has("session")) addRequest(params, context)
  const result: unknown = await callbacks.session(params)
  if (result === null) return null
  // A callback without a `return` must not look like a sign-out.
  if (!isObject(result))
    throw new TypeError("The `session` callback must return the session, or null for none")
  const session = result as unknown as Session // the application decides what its session holds
  const expires: unknown = session.expires // a Date if the callback returns the stored session
  return isDate(expires) ? { ...session, expires: expires.toISOString() } : session
}
