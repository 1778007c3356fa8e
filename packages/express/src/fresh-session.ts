import {
  createGuardResponse,
  type FreshSessionOptions,
  findSignInUrl,
} from "@latchkey/core/integration"
import { createAuthContext } from "./auth-context.ts"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { AuthMiddleware } from "./express-types.ts"
import { sendResponse } from "./response.ts"

/**
 * Creates a middleware that lets users pass who authenticated recently. It sends all others to the sign-in page, and back
 * afterwards. Requests that do not accept HTML, such as those of scripts, get the URL of the sign-in page as JSON, with
 * status 401 if nobody is signed in and otherwise 403.
 *
 * @param config the object that you pass to `MiddlewareAuth`; for a mount path other than `/auth` it needs `basePath`
 * @throws TypeError when the configuration, `AUTH_URL` or `maxAge` is invalid
 * @example
 * app.use("/account/delete", requireFreshSession(config, { maxAge: 600 }))
 */
export function requireFreshSession(
  config: MiddlewareAuthConfig,
  options?: FreshSessionOptions,
): AuthMiddleware {
  return async (req, res, next) => {
    try {
      const context = createAuthContext(req, config, res)
      const { headers, url, integratedAuth } = context
      const { session } = await context.getSession()
      const request = { method: req.method ?? "GET", headers, url }
      const signInUrl = await findSignInUrl(integratedAuth.engine, session, request, options)
      if (signInUrl === undefined) return next()
      sendResponse(
        createGuardResponse(headers, session, signInUrl, "SessionNotFresh", options),
        res,
      )
    } catch (error) {
      next(error)
    }
  }
}
