/** Headers with which browsers describe the page that made a request (Fetch Metadata, and `Origin`). */
import type { HeaderReader } from "./incoming-request.ts"
import { isTrustedOrigin } from "./trusted-origins.ts"

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
