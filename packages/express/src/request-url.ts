/** The URL of a request as the browser sees it. The rules for its origin are in the core's `resolveRequestOrigin`. */
import { InvalidRequest } from "@latchkey/core/errors"
import { resolveRequestOrigin } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"

/** The parts of a request that its origin follows from. A request to upgrade lacks those that Express adds. */
export type RequestOriginSource = Pick<ExpressRequest, "headers" | "socket"> &
  Partial<Pick<ExpressRequest, "app" | "protocol">>

/**
 * Returns scheme, host and port of a request as they are written. `X-Forwarded-Host` and `X-Forwarded-Proto` count only
 * if the application's setting `trust proxy` says so.
 *
 * @param configuredOrigin the origin of `AUTH_URL`, which wins
 * @throws InvalidRequest 400 when the request names no host, or a scheme other than http and https
 */
export function resolveOrigin(
  req: RequestOriginSource,
  configuredOrigin: string | undefined,
): string {
  if (configuredOrigin !== undefined) return configuredOrigin
  const { headers, protocol, socket } = req
  const get = (name: string) => {
    // The forwarded scheme is in Express's `protocol`.
    if (name === "x-forwarded-proto" && protocol !== undefined) return null
    // HTTP/2 names the host in a pseudo-header, which wins (RFC 9113 section 8.3.1). No HTTP/1 header has such a name.
    const value = (name === "host" && headers[":authority"]) || headers[name]
    return value?.toString() ?? null
  }
  const connection = "encrypted" in socket && socket.encrypted ? "https" : "http"
  try {
    const scheme = protocol?.toLowerCase() ?? connection
    return resolveRequestOrigin(scheme, { get }, isProxyTrusted(req))
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "headers that name the host and scheme of the request",
      hint: "X-Forwarded-Host and X-Forwarded-Proto are read only from trusted proxies.",
      cause,
    })
  }
}

function isProxyTrusted({ app, socket }: RequestOriginSource): boolean {
  const isTrusted = app?.get("trust proxy fn")
  return typeof isTrusted === "function" && Boolean(isTrusted(socket.remoteAddress, 0))
}

/** Scheme and authority of an absolute request target, which proxies may send (RFC 9112 section 3.2.2). */
const authorityPattern = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** Returns path and query of the request target as they were sent, without the host of an absolute one. */
export function getRequestTarget({ originalUrl }: Pick<ExpressRequest, "originalUrl">): string {
  return originalUrl.startsWith("/") ? originalUrl : originalUrl.replace(authorityPattern, "")
}

export function getPathname(target: string): string {
  const query = target.indexOf("?")
  return query === -1 ? target : target.slice(0, query)
}
