/** Cookies of an answer that the framework writes. */
import { serializeCookie } from "@latchkey/core"
import { applySetCookies, mergeSetCookies, noStore } from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import { getNodeContext, type StartEvent } from "./event.ts"

/**
 * Adds cookies to the answer of an event, beside those that others set, and keeps it out of caches.
 *
 * @returns whether they could be added: not where the answer is unknown, or on its way
 */
export function setCookies(event: StartEvent, cookies: readonly Cookie[]): boolean {
  return addSetCookieLines(event, cookies.map(serializeCookie))
}

/** The same for lines that are written already. */
export function addSetCookieLines(event: StartEvent, added: readonly string[]): boolean {
  const headers = event.response?.headers
  if (!headers || getNodeContext(event)?.res?.headersSent) return false
  if (added.length === 0) return true
  const existing = getSetCookieLines(event)
  headers.delete("set-cookie")
  for (const line of mergeSetCookies(existing, added)) {
    headers.append("set-cookie", line)
  }
  headers.set("cache-control", noStore(headers.get("cache-control")))
  return true
}

/** The headers of the request, with the cookies that the browser will have: see {@link applySetCookies}. */
export function getCurrentHeaders(event: StartEvent): Headers {
  const headers = new Headers(event.request.headers)
  headers.set("cookie", applySetCookies(headers.get("cookie"), getSetCookieLines(event)))
  return headers
}

/** The `Set-Cookie` lines of an answer so far. SolidStart 1 has one that is undefined where there are none. */
export function getSetCookieLines({ response }: StartEvent): string[] {
  return response?.headers.getSetCookie().filter(Boolean) ?? []
}
