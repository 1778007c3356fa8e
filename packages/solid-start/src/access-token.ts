import type { AccessToken, AccessTokenOptions } from "@latchkey/core"
import type { ReactiveAuthConfig } from "./config.ts"
import { findEvent, type StartEvent, type StartRequest } from "./event.ts"
import { createAuthContext } from "./integrated-auth.ts"
import { sanitizeAsyncErrors, sanitizeErrors } from "./sanitize-errors.ts"

/**
 * Returns an access token of a provider for the signed-in user, refreshed if it has to be. Call this where the response
 * can still set cookies: in an action, an API route or a middleware, not while a page is streamed. Without a request, use
 * `getAuth(config).getAccessToken({ userId }, provider)`.
 *
 * @param req the request, or its event
 * @param config the object that you pass to the route
 * @param provider id of the provider
 * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
 * @example
 * const { accessToken } = await getAccessToken(event, config, "google")
 */
export async function getAccessToken(
  req: StartRequest | StartEvent,
  config: ReactiveAuthConfig,
  provider: string,
  options?: AccessTokenOptions,
): Promise<AccessToken> {
  const context = createAuthContext("request" in req ? req : findEvent(req), config)
  sanitizeErrors(() => context.url)
  return sanitizeAsyncErrors(context.getAccessToken(provider, options))
}
