import type { ServerResponse } from "node:http"
import { InvalidRequest } from "@latchkey/core/errors"
import { refusalOf } from "@latchkey/core/mounting"
import { originOf, pathOf, targetOf } from "./address.ts"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { AuthMiddleware, ExpressRequest } from "./express.ts"
import { incomingOf } from "./incoming.ts"
import { isUnder, mountOf } from "./mount.ts"
import { mounted } from "./mounted.ts"
import { send } from "./outgoing.ts"

/**
 * Answers the requests to the library's actions, for Express 4 and 5.
 *
 * The base path is `config.basePath`, else the path of the mount (`/auth`, `/auth/*`, `/auth{/*splat}`), else
 * that of `AUTH_URL`, else `/auth`. Requests for other paths are passed on. What fails goes to `next`.
 *
 * @throws TypeError when `basePath` does not begin with a slash
 * @example
 * app.use("/auth", MiddlewareAuth(config))
 */
export function MiddlewareAuth(config: MiddlewareAuthConfig): AuthMiddleware {
  if (config.basePath !== undefined && !config.basePath.startsWith("/")) {
    throw new TypeError('`basePath` must be a path such as "/auth"')
  }
  return async (req, res, next) => {
    let isAnswered: boolean
    try {
      isAnswered = await answer(req, res, config)
    } catch (error) {
      return next(error)
    }
    if (!isAnswered) next()
  }
}

/** Answers a request, or tells that it is not for the library. */
async function answer(
  req: ExpressRequest,
  res: ServerResponse,
  config: MiddlewareAuthConfig,
): Promise<boolean> {
  const target = targetOf(req)
  const path = pathOf(target)
  const { auth, origin } = mounted(config, mountOf(req, path))
  if (!isUnder(path, auth.basePath)) return false
  try {
    const url = new URL(originOf(req, origin) + target)
    // A path that means another one (`/auth/x/../signin`) would go around the guards of that other one.
    if (url.pathname !== path) return false
    send(await auth.answer(incomingOf(req, res, url), url), res)
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    send(refusalOf(error), res)
  }
  return true
}
