/** The URL of a request as the browser sees it: the one builder for the middleware and for sessions. */
import { InvalidRequest } from "@latchkey/core/errors"
import { resolveRequestOrigin } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"

/** What the origin of a request is told from. */
export type RequestOriginSource = Pick<ExpressRequest, "app" | "headers" | "protocol" | "socket">

/**
 * Scheme, host and port of a request, as they are written: those of `AUTH_URL`, else those of the request.
 * `X-Forwarded-Host` and `X-Forwarded-Proto` count where the application's setting `trust proxy` says so.
 *
 * @param configuredOrigin the origin of `AUTH_URL`
 * @throws InvalidRequest 400 when the request names no host, or a scheme other than http and https
 */
export function resolveOrigin(
  req: RequestOriginSource,
  configuredOrigin: string | undefined,
): string {
  if (configuredOrigin !== undefined) return configuredOrigin
  const { headers } = req
  // Of the scheme that a proxy forwarded, Express knows: it is in `protocol`.
  const get = (name: string) =>
    name === "x-forwarded-proto" ? null : (headers[name]?.toString() ?? null)
  try {
    return resolveRequestOrigin(req.protocol.toLowerCase(), { get }, isProxyTrusted(req))
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "headers that name the host and scheme of the request",
      hint: "Host, X-Forwarded-Host and X-Forwarded-Proto are read, the latter from trusted proxies only.",
      cause,
    })
  }
}

function isProxyTrusted({ app, socket }: RequestOriginSource): boolean {
  const isTrusted = app.get("trust proxy fn")
  return typeof isTrusted === "function" && Boolean(isTrusted(socket.remoteAddress, 0))
}

/** Scheme and authority of a whole URL, which a proxy may send as request target (RFC 9112 section 3.2.2). */
const authorityPattern = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** The request target as path and query, as it was sent. The host of a whole URL does not count. */
export function getRequestTarget({ originalUrl }: ExpressRequest): string {
  return originalUrl.startsWith("/") ? originalUrl : originalUrl.replace(authorityPattern, "")
}

/** The path of a request target. */
export function getPathname(target: string): string {
  const query = target.indexOf("?")
  return query === -1 ? target : target.slice(0, query)
}
