import { MissingCSRF } from "@latchkey/core/errors"
import { type AuthContext, assertSameOrigin } from "@latchkey/core/integration"
import { error } from "@sveltejs/kit"

/**
 * Refuses requests of other sites with status 403. SvelteKit allows their forms in development and for
 * `csrf.trustedOrigins`, and their links, which also run `load` functions.
 */
export function refuseOtherSites({ headers, url: { origin } }: AuthContext): void {
  try {
    assertSameOrigin(headers, origin)
  } catch (cause) {
    if (cause instanceof MissingCSRF) error(403, cause.message)
    throw cause
  }
}
