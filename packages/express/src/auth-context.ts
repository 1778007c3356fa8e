import type { ServerResponse } from "node:http"
import { AuthContext } from "@latchkey/core/integration"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express-types.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { RawHeaders } from "./request-headers.ts"
import { getRequestTarget, type RequestOriginSource, resolveOrigin } from "./request-url.ts"
import { getResponseCookies } from "./response.ts"

/** The request of a route or a middleware, or the request of Node.js to upgrade a connection. */
export type RouteRequest = RequestOriginSource &
  Pick<ExpressRequest, "res"> &
  Partial<Pick<ExpressRequest, "ip" | "method" | "originalUrl" | "rawHeaders" | "url">>

/** @param res receives the cookies; by default the response that Express has on every request */
export function createAuthContext(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  res: ServerResponse | undefined = req.res,
): AuthContext {
  const integratedAuth = getIntegratedAuth(config)
  const { originalUrl = req.url ?? "/", rawHeaders = ["cookie", req.headers.cookie ?? ""] } = req
  const target = getRequestTarget({ originalUrl })
  // Without the slash, the target would become part of the host.
  const path = target.startsWith("/") ? target : "/"
  const url = new URL(resolveOrigin(req, integratedAuth.origin) + path)
  return new AuthContext(integratedAuth, {
    request: req,
    headers: new RawHeaders(rawHeaders),
    resolveUrl: () => url,
    cookies: getResponseCookies(res),
    clientAddress: req.ip,
  })
}
