import type { SignOutOptions } from "@latchkey/core"
import type { ReactiveAuthConfig } from "./config.ts"
import { redirectAfter } from "./server-function.ts"

/**
 * Ends the session in a server function. It never returns: it throws the redirect to `redirectTo`, which deletes the
 * cookies of the session. Refuses requests that do not come from a page of the same origin.
 *
 * @throws Response for SolidStart to send
 * @throws AuthError when the session could not be ended and is still valid; MissingCSRF for a request from elsewhere
 * @throws TypeError outside of a server function, or when the configuration or `AUTH_URL` is invalid
 */
export async function signOut(
  config: ReactiveAuthConfig,
  options?: SignOutOptions,
): Promise<never> {
  return redirectAfter(config, (context) => context.signOut(options))
}
