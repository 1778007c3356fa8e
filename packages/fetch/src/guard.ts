/** For the glue of frameworks. */

export { isResponse } from "@latchkey/core/integration"

/** Creates the redirect of a guard where the router of the browser follows redirects, too, so that scripts need no other. */
export function createGuardRedirect(location: string): Response {
  const headers = { location, "cache-control": "private, no-store" }
  return new Response(null, { status: 303, headers })
}

/**
 * Returns the functions for a request from where the middleware put them.
 *
 * @throws TypeError when the middleware has not run
 */
export function requireAuth<Auth>(auth: Auth | undefined, place: string, fix: string): Auth {
  if (auth !== undefined) return auth
  throw new TypeError(
    `${place} is missing, because Latchkey's middleware has not run for this request: ${fix}`,
  )
}
