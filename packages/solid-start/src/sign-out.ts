import type { SignOutInput } from "@latchkey/core"
import { createRedirectResponse, createSameOriginContext } from "./auth-context.ts"
import type { ReactiveAuthConfig } from "./config.ts"
import { sanitizeAsyncErrors } from "./sanitize-errors.ts"

/** Where to go after signing out. */
export type SignOutOptions = NonNullable<SignOutInput["options"]>

/**
 * Ends the session, in a server function. It never returns: what it throws is the redirect to `redirectTo`, without the
 * cookies of the session. Refuses requests that no page of the own origin made.
 *
 * @throws Response that SolidStart answers with
 * @throws AuthError when the session could not be ended, and is still valid; MissingCSRF for a request from elsewhere
 * @throws TypeError outside of a server function, or when the configuration or `AUTH_URL` cannot be used
 */
export async function signOut(
  config: ReactiveAuthConfig,
  options: SignOutOptions = {},
): Promise<never> {
  const authContext = createSameOriginContext(config)
  const { headers, url } = authContext
  const operation = authContext.integratedAuth.engine.signOut({ options, headers, url })
  const { redirect, cookies } = await sanitizeAsyncErrors(operation)
  throw createRedirectResponse(redirect, cookies, authContext)
}
