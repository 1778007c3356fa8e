/** Cookies of an answer that the framework writes. */
import { serializeCookie } from "@latchkey/core"
import { cookieHeaderAfter, unstored, withCookieLines } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import { nodeSides, type StartEvent } from "./event.ts"

/**
 * Adds cookies to the answer of an event, beside those that others set, and keeps it out of caches.
 *
 * @returns whether they could be added: not where the answer is unknown, or on its way
 */
export function setCookies(event: StartEvent, cookies: readonly Cookie[]): boolean {
  return setLines(event, cookies.map(serializeCookie))
}

/** The same for lines that are written already. */
export function setLines(event: StartEvent, added: readonly string[]): boolean {
  const headers = event.response?.headers
  if (!headers || nodeSides(event)?.res?.headersSent) return false
  if (added.length === 0) return true
  const earlier = linesOf(event)
  headers.delete("set-cookie")
  for (const line of withCookieLines(earlier, added)) {
    headers.append("set-cookie", line)
  }
  headers.set("cache-control", unstored(headers.get("cache-control")))
  return true
}

/** The headers of the request, with the cookies that the browser will have: see {@link cookieHeaderAfter}. */
export function currentHeaders(event: StartEvent): Headers {
  const headers = new Headers(event.request.headers)
  headers.set("cookie", cookieHeaderAfter(headers.get("cookie"), linesOf(event)))
  return headers
}

/** The `Set-Cookie` lines of an answer so far. SolidStart 1 has one that is undefined where there are none. */
export function linesOf({ response }: StartEvent): string[] {
  return response?.headers.getSetCookie().filter(Boolean) ?? []
}
