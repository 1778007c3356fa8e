/** A look at the session of a request, and what of it goes on an answer that others write on, too. */
import { serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { cookiesNamed } from "./set-cookie.ts"

/** A look that has begun. Each way it ends adds cookies, unless somebody has signed in or out meanwhile: that stands. */
export interface SessionReadTracker {
  complete(cookies: readonly Cookie[]): void
  fail(cookies: readonly Cookie[]): void
}

/** What failed looks turned the lines of an answer into, and what those stood for; by request. */
const failedReads = new WeakMap<object, Map<string, string>>()

/**
 * Begins a look. Cookies of the application, and what looks left behind that failed, do not count as signing in or out.
 *
 * @param request any object that lasts as long as the request
 * @param getLines the `Set-Cookie` lines of the answer so far
 * @param addLines adds lines to them
 */
export function trackSessionRead(
  request: object,
  getLines: () => readonly string[],
  addLines: (lines: readonly string[]) => void,
): SessionReadTracker {
  const initialLines = getLines()

  function addCookies(cookies: readonly Cookie[], isFailure: boolean): void {
    if (cookies.length === 0) return
    const statesBeforeFailure = failedReads.get(request) ?? new Map<string, string>()
    const lines = cookies.map(serializeCookie)
    const stateOf = (all: readonly string[]) => cookiesNamed(all, lines).join("\n")
    const ignoreFailedReads = (state: string) => statesBeforeFailure.get(state) ?? state
    const initialState = ignoreFailedReads(stateOf(initialLines))
    if (ignoreFailedReads(stateOf(getLines())) !== initialState) return
    addLines(lines)
    if (isFailure)
      failedReads.set(request, statesBeforeFailure.set(stateOf(getLines()), initialState))
  }

  return {
    complete: (cookies) => addCookies(cookies, false),
    fail: (cookies) => addCookies(cookies, true),
  }
}
