import type { AccessToken, AccessTokenOptions } from "@latchkey/core"
import { getAuthContext } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import type { QwikEvent } from "./event.ts"

/**
 * Returns an access token of a provider for the signed-in user, refreshed if it has to be. With tokens in the session,
 * call this where the response can still set cookies: in a middleware, an endpoint, a loader or an action. Without a
 * signed-in user, use `getAuth(event, config).token`.
 *
 * @param config the object that you pass to `ResumableAuth$`
 * @param provider id of the provider
 * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
 * @example
 * const { accessToken } = await getAccessToken(event, config, "google")
 */
export async function getAccessToken(
  event: QwikEvent,
  config: ResumableAuthConfig,
  provider: string,
  options?: AccessTokenOptions,
): Promise<AccessToken> {
  return getAuthContext(event, config).getAccessToken(provider, options)
}
