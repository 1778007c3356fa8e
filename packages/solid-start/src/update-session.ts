import type { Session } from "@latchkey/core/types"
import type { ReactiveAuthConfig } from "./config.ts"
import { runForRequest } from "./server-function.ts"
import type { GetSessionResult } from "./session.ts"

/**
 * Changes the session in a server function and returns it; null when nobody is signed in. Refuses requests that do not
 * come from a page of the same origin.
 *
 * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
 * @throws AuthError when the session could not be checked and is unchanged; MissingCSRF for a request from elsewhere
 * @throws TypeError outside of a server function, or when the configuration or `AUTH_URL` is invalid
 */
export function updateSession<Config extends ReactiveAuthConfig>(
  config: Config,
  data: unknown,
): GetSessionResult<Config>
export async function updateSession(
  config: ReactiveAuthConfig,
  data: unknown,
): Promise<Session | null> {
  return runForRequest(config, (context) => context.updateSession(data))
}
