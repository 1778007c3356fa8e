import type { ServerResponse } from "node:http"
import type { AccessToken, AccessTokenOptions } from "@latchkey/core"
import { applySetCookies, getRequestAccessToken } from "@latchkey/core/integration"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express-types.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { type RequestOriginSource, resolveOrigin } from "./request-url.ts"
import { getResponseCookies } from "./response.ts"

/**
 * Returns an access token of a provider for the signed-in user, refreshed if it has to be. With tokens in the session,
 * call this before the headers of the response are sent. Without a request, use `getAuth(config).token`.
 *
 * @param config the object that you pass to the middleware
 * @param provider id of the provider
 * @param res receives refreshed tokens in the session; by default the response that Express has on every request
 * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
 * @example
 * const { accessToken } = await getAccessToken(req, config, "google")
 */
export async function getAccessToken(
  req: RequestOriginSource & Pick<ExpressRequest, "res">,
  config: MiddlewareAuthConfig,
  provider: string,
  options?: AccessTokenOptions,
  res: ServerResponse | undefined = req.res,
): Promise<AccessToken> {
  const { engine, origin } = getIntegratedAuth(config)
  const cookies = getResponseCookies(res)
  const getHeaders = () => {
    const cookie = applySetCookies(req.headers.cookie, cookies.getLines())
    return { get: (name: string) => (name === "cookie" ? cookie : null) }
  }
  const url = resolveOrigin(req, origin)
  return getRequestAccessToken(engine, getHeaders, url, req, cookies, provider, options)
}
