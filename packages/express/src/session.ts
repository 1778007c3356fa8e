import type { ServerResponse } from "node:http"
import { applySetCookies, trackSessionRead } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express-types.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { type RequestOriginSource, resolveOrigin } from "./request-url.ts"
import { getSetCookieLines, setCookies } from "./response.ts"

/** What {@link getSession} gives for a configuration of the type `Config`. */
export type GetSessionResult<Config = MiddlewareAuthConfig> = Promise<InferSession<Config> | null>

/**
 * The session of a request, or null when nobody is signed in. A session that was refreshed goes back to the browser
 * with the answer, unless its headers are sent already.
 *
 * Its type is what the `session` callback of the configuration returns, where TypeScript knows the callback: write the
 * configuration with `defineConfig`, or `satisfies MiddlewareAuthConfig`.
 *
 * @param config the same object that the middleware has
 * @param res where the refreshed session goes; Express names it on every request
 * @throws AuthError when the session could not be checked: it may still be valid, so this is no sign-out
 * @throws TypeError when the configuration or `AUTH_URL` cannot be used
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
  const getLines = () => getSetCookieLines(res)
  const cookie = applySetCookies(req.headers.cookie, getLines())
  const get = (name: string) => (name === "cookie" ? cookie : null)
  const sessionRead = trackSessionRead(req, getLines, (added) => {
    if (res && !res.headersSent) setCookies(res, added)
  })
  const { session, cookies } = await engine.session(
    { get },
    resolveOrigin(req, origin),
    sessionRead.fail,
  )
  sessionRead.complete(cookies)
  return session
}
