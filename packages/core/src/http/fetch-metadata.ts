/** Headers with which browsers describe the page that made a request (Fetch Metadata, and `Origin`). */

/**
 * Whether the browser says that another site made this request. `Sec-Fetch-Site` comes first, because pages cannot
 * forge it and it works without knowing the own origin. `Origin` is for browsers without it.
 */
export function isCrossSite(headers: Headers, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  if (fetchSite !== null) return fetchSite !== "same-origin" && fetchSite !== "none"
  const requestOrigin = headers.get("origin")
  return requestOrigin !== null && requestOrigin !== origin
}

/** Whether the browser says that a page of the same origin made this request. */
export function isSameOrigin(headers: Headers, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  return fetchSite === null ? headers.get("origin") === origin : fetchSite === "same-origin"
}
