/** Cookies of an answer that the framework writes. */
import { serializeCookie } from "@latchkey/core"
import { createResponseCookies, noStore, type ResponseCookies } from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import type { QwikEvent } from "./event.ts"

interface ResponseState {
  /** The one that asked last: a request may have several, with one answer. */
  event: QwikEvent
  readonly cookies: ResponseCookies
}

const responseStates = /*#__PURE__*/ new WeakMap<QwikEvent["sharedMap"], ResponseState>()

/** What was set for the request of an event. */
export function getResponseCookies(event: QwikEvent): ResponseCookies {
  const existing = responseStates.get(event.sharedMap)
  if (existing) {
    existing.event = event
    return existing.cookies
  }
  const cookieHeader = event.request.headers.get("cookie")
  const cookies = createResponseCookies(cookieHeader, (cookie) => writeCookie(state.event, cookie))
  const state: ResponseState = { event, cookies }
  responseStates.set(event.sharedMap, state)
  return cookies
}

/** Adds cookies to the answer, and keeps it out of caches. Cookies of others stay. */
export function setCookies(event: QwikEvent, cookies: readonly Cookie[]): void {
  getResponseCookies(event).set(cookies)
  if (cookies.length > 0) setNoStore(event)
}

/** Says so once more where Qwik took the header away, as it does for errors and redirects. */
export function setNoStore({ headers }: QwikEvent): void {
  headers.set("cache-control", noStore(headers.get("cache-control")))
}

/** The headers of the request, with the cookies that the browser will have. */
export function getCurrentHeaders(event: QwikEvent): Headers {
  const headers = new Headers(event.request.headers)
  headers.set("cookie", getResponseCookies(event).toCookieHeader())
  return headers
}

/**
 * Qwik's own options know fewer attributes than there are, and it does not encode. What it takes for the value may
 * have the attributes in it: it writes the cookies of a `Response` in this way, too.
 */
function writeCookie({ cookie: jar }: QwikEvent, cookie: Cookie): void {
  const line = serializeCookie(cookie)
  jar.set(cookie.name, line.slice(line.indexOf("=") + 1))
}
