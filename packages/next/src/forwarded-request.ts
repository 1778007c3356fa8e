/** How the proxy passes a request on to the page: with the session that it renewed, and with the path of the page. */
import { applySetCookies, createUncachedResponse } from "@latchkey/core/integration"
import { type NextRequest, NextResponse } from "next/server.js"
import { pathHeader } from "./contexts.ts"

/** The names of all headers that the page gets, if the proxy changes any. */
const overrides = "x-middleware-override-headers"
/** The prefix of the headers with their values. */
const requestPrefix = "x-middleware-request-"

/**
 * Adds cookies to the response of the proxy, and, if the request goes on to a page, to its `Cookie` header: the page then reads
 * the renewed session, and renews nothing.
 *
 * @param lines `Set-Cookie` lines
 * @param path path and query of the page
 */
export function addCookies(
  request: NextRequest,
  response: Response,
  lines: readonly string[],
  path: string,
): Response {
  const { headers } = response
  const goesOn = headers.has("x-middleware-next") || headers.has("x-middleware-rewrite")
  if (!goesOn) return lines.length === 0 ? response : createUncachedResponse(response, lines)
  const pageHeaders = readPageHeaders(request, headers)
  pageHeaders.set(pathHeader, path)
  const cookie = applySetCookies(pageHeaders.get("cookie"), lines)
  // If the application kept the cookies from the page, that stays.
  if (pageHeaders.has("cookie")) pageHeaders.set("cookie", cookie)
  const changed = new Headers(headers)
  for (const [name, value] of NextResponse.next({ request: { headers: pageHeaders } }).headers)
    if (name !== "x-middleware-next") changed.set(name, value)
  const result = new Response(response.body, { status: response.status, headers: changed })
  return lines.length === 0 ? result : createUncachedResponse(result, lines)
}

/** Returns the headers that the page gets: those of the request, unless the application changed them. */
function readPageHeaders(request: NextRequest, headers: Headers): Headers {
  const names = headers.get(overrides)?.split(",")
  if (!names) return new Headers(request.headers)
  const entries = names.map((name) => [name.trim(), headers.get(requestPrefix + name.trim()) ?? ""])
  return new Headers(entries as [string, string][])
}
