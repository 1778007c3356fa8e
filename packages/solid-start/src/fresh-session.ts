import type { FreshSessionOptions } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { ReactiveAuthConfig } from "./config.ts"
import { findEvent, type StartEvent, type StartRequest } from "./event.ts"
import { createAuthContext } from "./integrated-auth.ts"
import { sanitizeAsyncErrors, sanitizeErrors } from "./sanitize-errors.ts"
import { createRedirect } from "./server-function.ts"

/**
 * Returns the session of a user who authenticated at most `maxAge` seconds ago, 600 by default. Otherwise it throws the
 * redirect to the sign-in page, which leads back to the page that the person is on. Call it in a server function; in a
 * middleware, return what it throws.
 *
 * @param req the request, or its event
 * @param config the object that you pass to the route
 * @throws Response for SolidStart to send
 * @throws AuthError when the session could not be checked; it may still be valid
 * @throws TypeError when the configuration, `AUTH_URL` or `maxAge` is invalid
 * @example
 * const session = await requireFreshSession(event, config, { maxAge: 600 })
 */
export function requireFreshSession<Config extends ReactiveAuthConfig>(
  req: StartRequest | StartEvent,
  config: Config,
  options?: FreshSessionOptions,
): Promise<InferSession<Config>>
export async function requireFreshSession(
  req: StartRequest | StartEvent,
  config: ReactiveAuthConfig,
  options?: FreshSessionOptions,
): Promise<Session> {
  const event = "request" in req ? req : findEvent(req)
  const context = createAuthContext(event, config)
  sanitizeErrors(() => context.url)
  const { method = "GET", headers } = event.request
  // A server function has a URL of its own, also one that is called by GET.
  const isFromPage = headers.has("x-server-id") || (method !== "GET" && method !== "HEAD")
  const guarded = context.requireFreshSession({ method, isFromPage }, options, (signInUrl) => {
    throw createRedirect(signInUrl, context)
  })
  return sanitizeAsyncErrors(guarded)
}
