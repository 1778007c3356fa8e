/** The URL of a request as the browser sees it: the one builder for the middleware and for sessions. */
import { InvalidRequest } from "@latchkey/core/errors"
import { namedOrigin } from "@latchkey/core/mounting"
import type { ExpressRequest } from "./express.ts"

/** What the origin of a request is told from. */
export type Addressed = Pick<ExpressRequest, "app" | "headers" | "protocol" | "socket">

/**
 * Scheme, host and port of a request, as they are written: those of `AUTH_URL`, else those of the request.
 * `X-Forwarded-Host` and `X-Forwarded-Proto` count where the application's setting `trust proxy` says so.
 *
 * @param own the origin of `AUTH_URL`
 * @throws InvalidRequest 400 when the request names no host, or a scheme other than http and https
 */
export function originOf(req: Addressed, own: string | undefined): string {
  if (own !== undefined) return own
  const { headers } = req
  // Of the scheme that a proxy forwarded, Express knows: it is in `protocol`.
  const get = (name: string) =>
    name === "x-forwarded-proto" ? null : (headers[name]?.toString() ?? null)
  try {
    return namedOrigin(req.protocol.toLowerCase(), { get }, trustsProxy(req))
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "headers that name the host and scheme of the request",
      hint: "Host, X-Forwarded-Host and X-Forwarded-Proto are read, the latter from trusted proxies only.",
      cause,
    })
  }
}

function trustsProxy({ app, socket }: Addressed): boolean {
  const trusts = app.get("trust proxy fn")
  return typeof trusts === "function" && Boolean(trusts(socket.remoteAddress, 0))
}

/** Scheme and authority of a whole URL, which a proxy may send as request target (RFC 9112 section 3.2.2). */
const authority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** The request target as path and query, as it was sent. The host of a whole URL does not count. */
export function targetOf({ originalUrl }: ExpressRequest): string {
  return originalUrl.startsWith("/") ? originalUrl : originalUrl.replace(authority, "")
}

/** The path of a request target. */
export function pathOf(target: string): string {
  const query = target.indexOf("?")
  return query === -1 ? target : target.slice(0, query)
}
