/** The URL of a request as the browser sees it. The rules for its origin are in the core's `resolveRequestOrigin`. */
import { InvalidRequest } from "@latchkey/core/errors"
import { resolveRequestOrigin } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"

/** The parts of a request that its origin follows from. */
export type RequestOriginSource = Pick<ExpressRequest, "app" | "headers" | "protocol" | "socket">

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
  const { headers } = req
  // The forwarded scheme is in Express's `protocol`.
  const get = (name: string) =>
    name === "x-forwarded-proto" ? null : (headers[name]?.toString() ?? null)
  try {
    return resolveRequestOrigin(req.protocol.toLowerCase(), { get }, isProxyTrusted(req))
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "headers that name the host and scheme of the request",
      hint: "X-Forwarded-Host and X-Forwarded-Proto are read only from trusted proxies.",
      cause,
    })
  }
}

function isProxyTrusted({ app, socket }: RequestOriginSource): boolean {
  const isTrusted = app.get("trust proxy fn")
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
