/** Returns the session of a request to the application's own code. */
import type { SessionServices } from "../config/core-services.ts"
import type { RequestSource } from "../http/request-view.ts"
import { SessionContext } from "../http/session-context.ts"
import type { GetSessionOptions, SessionResult } from "../latchkey-auth.ts"
import type { CurrentSession } from "../sessions/current-session.ts"
import { rememberSessionFacts } from "../sessions/session-facts.ts"
import { createReadError, getConfigError, runInTime } from "./request-errors.ts"

/**
 * Returns the session of a request within the time limit.
 *
 * @param read reads the session, and may change it
 * @throws AuthError for a configuration with problems, or if the session could not be checked
 */
export async function getSession(
  request: RequestSource,
  { config, logger }: SessionServices,
  read: (context: SessionContext) => Promise<CurrentSession>,
  { canSetCookies = true }: GetSessionOptions = {},
): Promise<SessionResult> {
  const configError = getConfigError(config)
  if (configError) throw configError
  const context = new SessionContext(request.headers, new URL(request.url), config)
  context.source = request
  context.canSetCookies = canSetCookies
  const { jar } = context
  try {
    const { session, facts } = await runInTime(context, read(context))
    if (session && facts) rememberSessionFacts(session, facts)
    return { session, cookies: canSetCookies ? jar.list : [] }
  } catch (error) {
    logger.error(error)
    throw createReadError(error, logger, canSetCookies ? jar.cookiesOnError : [])
  }
}
