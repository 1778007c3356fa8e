import type { ServerResponse } from "node:http"
import type { AccessToken, AccessTokenOptions } from "@latchkey/core"
import type { InferSession, Session } from "@latchkey/core/types"
import { createAuthContext, type RouteRequest } from "./auth-context.ts"
import type { MiddlewareAuthConfig } from "./config.ts"

/** The result of {@link getSession} for a configuration of the type `Config`. */
export type GetSessionResult<Config = MiddlewareAuthConfig> = Promise<InferSession<Config> | null>

/**
 * Returns the session of a request, or null when nobody is signed in. A renewed session is set on the response. If the
 * headers of the response have been sent, a later request renews the session.
 *
 * The session has the type that the `session` callback of the configuration returns. For TypeScript to know the
 * callback, write the configuration with `defineConfig` or `satisfies MiddlewareAuthConfig`.
 *
 * @param config the object that you pass to the middleware
 * @param res receives a renewed session; by default the response that Express has on every request
 * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
 * @throws TypeError when the configuration or `AUTH_URL` is invalid
 */
export function getSession<Config extends MiddlewareAuthConfig>(
  req: RouteRequest,
  config: Config,
  res?: ServerResponse | undefined,
): GetSessionResult<Config>
export async function getSession(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  res?: ServerResponse | undefined,
): Promise<Session | null> {
  const { session } = await createAuthContext(req, config, res).getSession()
  return session
}

/**
 * Returns an access token of a provider for the signed-in user, refreshed if it has to be. Call it before the headers of
 * the response are sent. Without a request, use `getAuth(config).getAccessToken({ userId }, provider)`.
 *
 * @param config the object that you pass to the middleware
 * @param provider id of the provider
 * @param res receives refreshed tokens in the session; by default the response that Express has on every request
 * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
 * @example
 * const { accessToken } = await getAccessToken(req, config, "google")
 */
export async function getAccessToken(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  provider: string,
  options?: AccessTokenOptions,
  res?: ServerResponse | undefined,
): Promise<AccessToken> {
  return createAuthContext(req, config, res).getAccessToken(provider, options)
}
