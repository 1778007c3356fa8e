import { assertOwnOrigin } from "@latchkey/core/mounting"
import type { InferSession, Session } from "@latchkey/core/types"
import type { ResumableAuthConfig } from "./config.ts"
import { currentHeaders, setCookies } from "./cookies.ts"
import type { AuthEvent } from "./event.ts"
import { knownConfig, visitOf } from "./visit.ts"

/**
 * Changes what the session holds, in an action of the application, and gives the new session; null when nobody is
 * signed in. The page that the action answers with has the new session, too.
 *
 * @param data handed to the `jwt` callback (strategy `jwt`) or the `session` callback, which have to validate it
 * @param config the same object that `ResumableAuth$` has; without it, that is what counts
 * @throws AuthError when the session could not be checked, and is as it was: `MissingCSRF` for a request from another
 * site
 * @throws TypeError when the configuration or `AUTH_URL` cannot be used, or none is known
 */
export function updateSession<Config extends ResumableAuthConfig = ResumableAuthConfig>(
  event: AuthEvent,
  data: unknown,
  config?: Config,
): Promise<InferSession<Config> | null>
export async function updateSession(
  event: AuthEvent,
  data: unknown,
  config?: ResumableAuthConfig,
): Promise<Session | null> {
  const visit = visitOf(event, config ?? (await knownConfig(event)))
  const { mounted, url } = visit
  const headers = currentHeaders(event)
  assertOwnOrigin(headers, url.origin)
  const update = await mounted.auth.update({ headers, url, data })
  setCookies(event, update.cookies)
  visit.session = Promise.resolve(update)
  return update.session
}
