/** A look at the session of a request, and what of it goes on an answer that others write on, too. */
import { serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { touch } from "./cookie-lines.ts"

/** A look that has begun. Each way it ends adds cookies, unless somebody has signed in or out meanwhile: that stands. */
export interface Look {
  found(cookies: readonly Cookie[]): void
  failed(cookies: readonly Cookie[]): void
}

/** Lines that failed looks left behind, by request. */
const leftByFailed = new WeakMap<object, Set<string>>()

/**
 * Begins a look. Cookies of the application, and what a look left behind that failed, do not count as signing in or out.
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

  function leave(cookies: readonly Cookie[]): readonly string[] {
    if (cookies.length === 0) return []
    const lines = cookies.map(serializeCookie)
    const lesser = leftByFailed.get(request)
    const since = linesNow().filter((line) => !before.includes(line) && !lesser?.has(line))
    if (touch(since, lines)) return []
    add(lines)
    return lines
  }

  return {
    found: (cookies) => void leave(cookies),
    failed(cookies) {
      leftByFailed.set(request, new Set([...(leftByFailed.get(request) ?? []), ...leave(cookies)]))
    },
  }
}
