import type { ServerResponse } from "node:http"
import { InvalidRequest } from "@latchkey/core/errors"
import { createInvalidRequestResponse, type IntegratedAuth } from "@latchkey/core/integration"
import { getMountPath, hasUnknownCase, isActionPath, isUnderBasePath } from "./base-path.ts"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { AuthMiddleware, ExpressRequest } from "./express-types.ts"
import { IncomingExpressRequest } from "./incoming-request.ts"
import { checkConfigAtStartup, getIntegratedAuth } from "./integrated-auth.ts"
import { getPathname, getRequestTarget, resolveOrigin } from "./request-url.ts"
import { sendResponse } from "./response.ts"

/**
 * Creates a middleware for Express 4 and 5 that responds to the requests to the library's actions.
 *
 * The base path is `config.basePath`, else the path of the mount (`/auth`, `/auth/*`, `/auth{/*splat}`), else the path
 * of `AUTH_URL`, else `/auth`. Requests for other paths go to the next handler, and errors to `next`. So do those with
 * upper-case letters in the path of the mount: set `basePath` if yours has some.
 *
 * The problems of the configuration are logged when the application has started. In production, the process then ends if
 * every request would be refused or there is no provider.
 *
 * @throws TypeError when `basePath` does not start with a slash
 * @example
 * app.use("/auth", MiddlewareAuth(config))
 */
export function MiddlewareAuth(config: MiddlewareAuthConfig): AuthMiddleware {
  if (config.basePath !== undefined && !isAbsolutePath(config.basePath)) {
    throw new TypeError('`basePath` must be a path such as "/auth"')
  }
  checkConfigAtStartup(config)
  return async (req, res, next) => {
    let isHandled: boolean
    try {
      isHandled = await handleRequest(req, res, config)
    } catch (error) {
      return next(error)
    }
    if (!isHandled) next()
  }
}

function isAbsolutePath(path: unknown): boolean {
  return typeof path === "string" && path.startsWith("/")
}

const mismatchedConfigs = new WeakSet<MiddlewareAuthConfig>()

/** Warns once for each configuration, because a mount such as `/:tenant/auth` has as many paths as clients think of. */
function warnOfMismatch(
  config: MiddlewareAuthConfig,
  mountPath: string,
  { basePath, warnOnce }: IntegratedAuth["engine"],
): void {
  // Express ignores the case: another one is that of a client, not of the mount.
  if (mismatchedConfigs.has(config) || mountPath.toLowerCase() === basePath.toLowerCase()) return
  mismatchedConfigs.add(config)
  const message =
    `The middleware is mounted at ${mountPath}, but \`basePath\` is ${basePath}: no request reaches the actions. ` +
    "Use the same path for both, or omit `basePath`."
  warnOnce("mount-mismatch", message)
}

/** Warns once for each configuration. The path may be that of a client, so it is not the one that is configured. */
function warnOfUpperCase(config: MiddlewareAuthConfig, mountPath: string): void {
  if (mismatchedConfigs.has(config)) return
  mismatchedConfigs.add(config)
  const { engine } = getIntegratedAuth(config, mountPath.toLowerCase())
  const message =
    "A request whose path has upper-case letters was passed on: Express ignores the case, but each action has one path. " +
    "If the path of your mount has upper-case letters, set `basePath` to it."
  engine.warnOnce("mount-mismatch", message)
}

/** Responds to a request. Returns whether it was for the library. */
async function handleRequest(
  req: ExpressRequest,
  res: ServerResponse,
  config: MiddlewareAuthConfig,
): Promise<boolean> {
  const target = getRequestTarget(req)
  const path = getPathname(target)
  const mountPath = getMountPath(req, path)
  if (config.basePath === undefined && mountPath !== undefined && hasUnknownCase(req, mountPath)) {
    warnOfUpperCase(config, mountPath)
    return false
  }
  const { engine, origin } = getIntegratedAuth(config, mountPath)
  if (!isUnderBasePath(path, engine.basePath)) {
    if (mountPath !== undefined && isActionPath(path, mountPath))
      warnOfMismatch(config, mountPath, engine)
    return false
  }
  try {
    const url = new URL(resolveOrigin(req, origin) + target)
    // A path such as `/auth/x/../signin` would bypass middleware for the path that it stands for.
    if (url.pathname !== path) return false
    sendResponse(await engine.handleIncoming(new IncomingExpressRequest(req, res), url), res)
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    sendResponse(createInvalidRequestResponse(error), res)
  }
  return true
}
