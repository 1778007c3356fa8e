/**
 * The rules for pages of other origins: which origins the application trusts like its own, how browsers say who sent a
 * request (Fetch Metadata, and `Origin`), and the CORS protocol.
 */

import type { PlainResponse } from "./action-outcome.ts"
import type { HeaderReader, IncomingRequest } from "./incoming-request.ts"
import { matchesOrigin } from "./match-host.ts"

/**
 * Whether the page that sent a request has a trusted origin.
 *
 * @param origin the `Origin` header, or the origin of a URL
 */
export function isTrustedOrigin(
  origin: string | null,
  trustedOrigins: readonly string[],
): origin is string {
  if (origin === null || trustedOrigins.length === 0 || !URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && matchesOrigin(url, trustedOrigins)
}

/**
 * Whether the browser says that a page made this request whose origin is neither the own one nor trusted.
 * `Sec-Fetch-Site` decides about the own origin, because pages cannot forge it and it works without knowing that origin.
 * `Origin` is for browsers without it.
 */
export function isCrossSite(
  headers: HeaderReader,
  origin: string,
  trustedOrigins: readonly string[],
): boolean {
  const requestOrigin = headers.get("origin")
  if (isTrustedOrigin(requestOrigin, trustedOrigins)) return false
  const fetchSite = headers.get("sec-fetch-site")
  if (fetchSite !== null) return fetchSite !== "same-origin" && fetchSite !== "none"
  return requestOrigin !== null && requestOrigin !== origin
}

/** Whether the browser says that a page of the same origin made this request. */
export function isSameOrigin(headers: HeaderReader, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  return fetchSite === null ? headers.get("origin") === origin : fetchSite === "same-origin"
}

/** The methods and headers that scripts may send. Browsers cache the response for two hours. */
const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "Content-Type, X-Auth-Return-Redirect",
  "access-control-max-age": "7200",
}

/**
 * Lets scripts of trusted origins read JSON responses, including errors. They cannot read pages and redirects. Responds
 * to preflight requests without calling `respond` (Fetch standard, section 3.3).
 */
export async function respondWithCors(
  { method, headers }: Pick<IncomingRequest, "method" | "headers">,
  trustedOrigins: readonly string[],
  respond: () => Promise<PlainResponse>,
): Promise<PlainResponse> {
  const vary = { vary: "Origin" }
  const origin = headers.get("origin")
  const corsHeaders = isTrustedOrigin(origin, trustedOrigins) && {
    ...vary,
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "Location, Retry-After",
  }
  if (corsHeaders && method === "OPTIONS") {
    const allHeaders = { ...corsHeaders, ...preflightHeaders }
    return { status: 204, headers: allHeaders, body: null, setCookieLines: [] }
  }
  const response = await respond()
  const isJson = response.headers["content-type"] === "application/json"
  const addedHeaders = (isJson && corsHeaders) || vary
  return { ...response, headers: { ...response.headers, ...addedHeaders } }
}
