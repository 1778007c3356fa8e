import type { SignOutInput } from "@latchkey/core"
import type { ReactiveAuthConfig } from "./config.ts"
import { outward } from "./outward.ts"
import { leadTo, ownVisit } from "./visit.ts"

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
  const visit = ownVisit(config)
  const { headers, url } = visit
  const work = visit.mount.auth.signOut({ options, headers, url })
  const { redirect, cookies } = await outward(work)
  throw leadTo(redirect, cookies, visit)
}
