/** Sign-ins and sign-outs that happen while a session is read, whose cookies win. */
import { removeChunkSuffix } from "../http/cookie-chunks.ts"
import { parseCookieName, serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import type { ResponseCookies } from "./set-cookie.ts"

/**
 * For each request, the states that failed reads left the cookies in, and the states that they replaced. A failed read
 * does not count as a sign-in or sign-out.
 */
const replacedStates = new WeakMap<object, Map<string, string>>()

/**
 * Remembers the response's session cookies from before the read. Returns a function that adds the cookies of the read,
 * unless a sign-in or sign-out has changed the session cookies meanwhile, or the response has been sent. It returns
 * whether the cookies still apply.
 *
 * @param request any object that lives as long as the request
 */
export function trackSessionRead(request: object, response: ResponseCookies) {
  const initialLines = response.getLines()

  return (cookies: readonly Cookie[], hasFailed = false): boolean => {
    if (cookies.length === 0) return true
    const states = replacedStates.get(request) ?? new Map<string, string>()
    const baseNames = new Set(cookies.map(({ name }) => removeChunkSuffix(name)))
    const isSessionLine = (line: string) => baseNames.has(removeChunkSuffix(parseCookieName(line)))
    const getState = (lines: readonly string[]) => lines.filter(isSessionLine).join("\n")
    const getOriginalState = (state: string) => states.get(state) ?? state
    const initialState = getOriginalState(getState(initialLines))
    if (getOriginalState(getState(response.getLines())) !== initialState) return false
    cookies.forEach(serializeCookie) // throws for cookies that cannot be set
    try {
      response.set(cookies)
    } catch {
      return true // the response has been sent
    }
    if (hasFailed)
      replacedStates.set(request, states.set(getState(response.getLines()), initialState))
    return true
  }
}
