/** Cookies of an answer that the framework writes. */
import { serializeCookie } from "@latchkey/core"
import { type AnswerCookies, createAnswerCookies, unstored } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import type { AuthEvent } from "./event.ts"

interface Answered {
  /** The one that asked last: a request may have several, with one answer. */
  event: AuthEvent
  readonly cookies: AnswerCookies
}

const answers = /*#__PURE__*/ new WeakMap<AuthEvent["sharedMap"], Answered>()

/** What was set for the request of an event. */
export function cookiesOf(event: AuthEvent): AnswerCookies {
  const known = answers.get(event.sharedMap)
  if (known) {
    known.event = event
    return known.cookies
  }
  const given = event.request.headers.get("cookie")
  const cookies = createAnswerCookies(given, (cookie) => write(made.event, cookie))
  const made: Answered = { event, cookies }
  answers.set(event.sharedMap, made)
  return cookies
}

/** Adds cookies to the answer, and keeps it out of caches. Cookies of others stay. */
export function setCookies(event: AuthEvent, cookies: readonly Cookie[]): void {
  cookiesOf(event).set(cookies)
  if (cookies.length > 0) keepOutOfCaches(event)
}

/** Says so once more where Qwik took the header away, as it does for errors and redirects. */
export function keepOutOfCaches({ headers }: AuthEvent): void {
  headers.set("cache-control", unstored(headers.get("cache-control")))
}

/** The headers of the request, with the cookies that the browser will have. */
export function currentHeaders(event: AuthEvent): Headers {
  const headers = new Headers(event.request.headers)
  headers.set("cookie", cookiesOf(event).header())
  return headers
}

/**
 * Qwik's own options know fewer attributes than there are, and it does not encode. What it takes for the value may
 * have the attributes in it: it writes the cookies of a `Response` in this way, too.
 */
function write({ cookie: jar }: AuthEvent, cookie: Cookie): void {
  const line = serializeCookie(cookie)
  jar.set(cookie.name, line.slice(line.indexOf("=") + 1))
}
