import type { AccessToken, AccessTokenOptions } from "@latchkey/core"
import { getAuthContext, getLoadedConfig } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import type { QwikEvent } from "./event.ts"

/**
 * Returns an access token of a provider for the signed-in user, refreshed if it has to be. Call this where the response
 * can still set cookies: in a middleware, an endpoint, a loader or an action. Without a signed-in user, use
 * `getAuth(event).getAccessToken({ userId }, provider)`.
 *
 * @param provider id of the provider
 * @param config the object that you pass to `ResumableAuth$`, which is also the default
 * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
 * @example
 * const { accessToken } = await getAccessToken(event, "google")
 */
export async function getAccessToken(
  event: QwikEvent,
  provider: string,
  options?: AccessTokenOptions,
  config?: ResumableAuthConfig,
): Promise<AccessToken> {
  const authContext = getAuthContext(event, config ?? (await getLoadedConfig(event)))
  return authContext.getAccessToken(provider, options)
}
