/** The CORS protocol for pages of trusted origins (Fetch standard, section 3.3). */
import type { IncomingRequest } from "./incoming-request.ts"
import type { PlainResponse } from "./plain-response.ts"
import { isTrustedOrigin } from "./trusted-origins.ts"

/** The methods and headers that scripts may send. Browsers cache the response for two hours. */
const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "Content-Type, X-Auth-Return-Redirect",
  "access-control-max-age": "7200",
}

/**
 * Lets scripts of trusted origins read JSON responses, including errors. They cannot read pages and redirects. Responds
 * to preflight requests without calling `respond`.
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
