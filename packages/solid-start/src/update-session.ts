import type { Session } from "@latchkey/core/types"
import type { ReactiveAuthConfig } from "./config.ts"
import { outward } from "./outward.ts"
import type { GetSessionResult } from "./session.ts"
import { leaveCookies, ownVisit } from "./visit.ts"

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
  const visit = ownVisit(config)
  const { headers, url } = visit
  const work = visit.mount.auth.update({ headers, url, data })
  const { session, cookies } = await outward(work)
  leaveCookies(cookies, visit)
  return session
}
