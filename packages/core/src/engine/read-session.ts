/** Reads the session of a request for the application's own code. */
import type { SessionServices } from "../config/core-services.ts"
import type { HeaderReader } from "../http/incoming-request.ts"
import type { RequestSource } from "../http/request-view.ts"
import { SessionContext } from "../http/session-context.ts"
import { withRequestTimeout } from "../http/timeout.ts"
import type { OnFault, SessionResult } from "../latchkey-auth.ts"
import type { CurrentSession } from "../sessions/current-session.ts"
import { attachMetadata } from "../sessions/session-facts.ts"
import { getConfigError } from "./config-error.ts"
import { createTimeoutError } from "./timeout-error.ts"

/**
 * Reads the session of a request within the time limit.
 *
 * @param source the request that callbacks see, if `headers` and `url` are only parts of it
 * @throws AuthError for a configuration with problems, or if the session could not be checked
 */
export async function readSession(
  headers: HeaderReader,
  url: string | URL,
  { config, logger }: SessionServices,
  getSession: (context: SessionContext) => Promise<CurrentSession>,
  onFault?: OnFault,
  source?: RequestSource,
): Promise<SessionResult> {
  const configError = getConfigError(config)
  if (configError) throw await configError
  const context = new SessionContext(headers, new URL(url), config)
  if (source) context.source = source
  const { jar } = context
  try {
    const work = getSession(context)
    const { session, facts } = await withRequestTimeout(work, (seconds) => {
      jar.markTimedOut()
      return createTimeoutError(seconds)
    })
    if (session && facts) attachMetadata(session, facts)
    return { session, cookies: jar.list }
  } catch (error) {
    logger.error(error)
    const { cookiesOnError } = jar
    if (cookiesOnError.length > 0) {
      const call = (async () => onFault?.(cookiesOnError))()
      // The caller learns of the original error.
      call.catch((faultError) => logger.error(faultError))
    }
    const { createReadError } = await import("./create-read-error.ts")
    throw createReadError(error, logger)
  }
}
