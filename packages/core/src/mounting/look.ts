/** A look at the session of a request, and what of it goes on an answer that others write on, too. */
import { serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { touching } from "./cookie-lines.ts"

/** A look that has begun. Each way it ends adds cookies, unless somebody has signed in or out meanwhile: that stands. */
export interface Look {
  found(cookies: readonly Cookie[]): void
  failed(cookies: readonly Cookie[]): void
}

/** What failed looks turned the lines of an answer into, and what those stood for; by request. */
const leftByFailed = new WeakMap<object, Map<string, string>>()

/**
 * Begins a look. Cookies of the application, and what looks left behind that failed, do not count as signing in or out.
 *
 * @param request any object that lasts as long as the request
 * @param linesNow the `Set-Cookie` lines of the answer so far
 * @param add adds lines to them
 */
export function beginLook(
  request: object,
  linesNow: () => readonly string[],
  add: (lines: readonly string[]) => void,
): Look {
  const before = linesNow()

  function leave(cookies: readonly Cookie[], isLesser: boolean): void {
    if (cookies.length === 0) return
    const left = leftByFailed.get(request) ?? new Map<string, string>()
    const lines = cookies.map(serializeCookie)
    const stateOf = (all: readonly string[]) => touching(all, lines).join("\n")
    const decided = (state: string) => left.get(state) ?? state
    const found = decided(stateOf(before))
    if (decided(stateOf(linesNow())) !== found) return
    add(lines)
    if (isLesser) leftByFailed.set(request, left.set(stateOf(linesNow()), found))
  }

  return {
    found: (cookies) => leave(cookies, false),
    failed: (cookies) => leave(cookies, true),
  }
}
