import type { FreshSessionOptions } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import { createRedirect } from "./actions.ts"
import { getAuthContext, getLoadedConfig } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import type { QwikEvent } from "./event.ts"

/** The event of a middleware, an endpoint, a loader or an action. Throw what its method returns. */
export interface GuardedEvent extends QwikEvent {
  redirect(status: 303, url: string): unknown
}

/**
 * Returns the session of a user who authenticated at most `maxAge` seconds ago, 600 by default. Otherwise it throws Qwik's
 * redirect to the sign-in page, which leads back: after an action, to its page.
 *
 * @param config the object that you pass to `ResumableAuth$`, which is also the default
 * @throws AuthError when the session could not be checked; it may still be valid
 * @throws TypeError when the configuration, `AUTH_URL` or `maxAge` is invalid, or there is no configuration
 * @example
 * export const onRequest: RequestHandler = async (event) => {
 *   await requireFreshSession(event, { maxAge: 600 })
 * }
 */
export function requireFreshSession<Config extends ResumableAuthConfig = ResumableAuthConfig>(
  event: GuardedEvent,
  options?: FreshSessionOptions,
  config?: Config,
): Promise<InferSession<Config>>
export async function requireFreshSession(
  event: GuardedEvent,
  options?: FreshSessionOptions,
  config?: ResumableAuthConfig,
): Promise<Session> {
  const authContext = getAuthContext(event, config ?? (await getLoadedConfig(event)))
  const { method } = event.request
  const request = { method, startPage: event.basePathname }
  return authContext.requireFreshSession(request, options, (signInUrl) => {
    throw createRedirect(event, signInUrl)
  })
}
