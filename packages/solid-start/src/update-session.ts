import type { Session } from "@latchkey/core/types"
import { addCookies, createSameOriginContext } from "./auth-context.ts"
import type { ReactiveAuthConfig } from "./config.ts"
import { sanitizeAsyncErrors } from "./sanitize-errors.ts"
import type { GetSessionResult } from "./session.ts"

/**
 * Changes what the session holds, in a server function, and gives it; null when nobody is signed in. Refuses requests
 * that no page of the own origin made.
 *
 * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which have to validate it
 * @throws AuthError when the session could not be checked, and is as it was; MissingCSRF for a request from elsewhere
 * @throws TypeError outside of a server function, or when the configuration or `AUTH_URL` cannot be used
 */
export function updateSession<Config extends ReactiveAuthConfig>(
  config: Config,
  data: unknown,
): GetSessionResult<Config>
export async function updateSession(
  config: ReactiveAuthConfig,
  data: unknown,
): Promise<Session | null> {
  const authContext = createSameOriginContext(config)
  const { headers, url } = authContext
  const operation = authContext.integratedAuth.engine.update({ headers, url, data })
  const { session, cookies } = await sanitizeAsyncErrors(operation)
  addCookies(cookies, authContext)
  return session
}
