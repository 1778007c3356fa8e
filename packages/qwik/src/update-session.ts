import { assertSameOrigin } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import { getAuthContext, getLoadedConfig } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import { getCurrentHeaders, setCookies } from "./cookies.ts"
import type { QwikEvent } from "./event.ts"

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
  event: QwikEvent,
  data: unknown,
  config?: Config,
): Promise<InferSession<Config> | null>
export async function updateSession(
  event: QwikEvent,
  data: unknown,
  config?: ResumableAuthConfig,
): Promise<Session | null> {
  const authContext = getAuthContext(event, config ?? (await getLoadedConfig(event)))
  const { integratedAuth, url } = authContext
  const headers = getCurrentHeaders(event)
  assertSameOrigin(headers, url.origin)
  const result = await integratedAuth.engine.update({ headers, url, data })
  setCookies(event, result.cookies)
  authContext.session = Promise.resolve(result)
  return result.session
}
