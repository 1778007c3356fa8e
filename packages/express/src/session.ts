import type { ServerResponse } from "node:http"
import { applySetCookies, readSession } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express-types.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { type RequestOriginSource, resolveOrigin } from "./request-url.ts"
import { getResponseCookies } from "./response.ts"

/** The result of {@link getSession} for a configuration of the type `Config`. */
export type GetSessionResult<Config = MiddlewareAuthConfig> = Promise<InferSession<Config> | null>

/**
 * Returns the session of a request, or null when nobody is signed in. A renewed session is set on the response, unless
 * its headers have been sent.
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
  req: RequestOriginSource & Pick<ExpressRequest, "res">,
  config: Config,
  res?: ServerResponse | undefined,
): GetSessionResult<Config>
export async function getSession(
  req: RequestOriginSource & Pick<ExpressRequest, "res">,
  config: MiddlewareAuthConfig,
  res: ServerResponse | undefined = req.res,
): Promise<Session | null> {
  const { engine, origin } = getIntegratedAuth(config)
  const cookies = getResponseCookies(res)
  const cookie = applySetCookies(req.headers.cookie, cookies.getLines())
  const get = (name: string) => (name === "cookie" ? cookie : null)
  const { session } = await readSession(engine, { get }, resolveOrigin(req, origin), req, cookies)
  return session
}
