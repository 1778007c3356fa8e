/** Reading the session of a request whose response other code writes to, too. */

import { getErrorCookies } from "../engine/error-cookies.ts"
import type { Engine } from "../engine.ts"
import { removeChunkSuffix } from "../http/cookie-chunks.ts"
import { parseCookieName, serializeCookie } from "../http/cookies.ts"
import type { AuthRequest, GetSessionOptions, SessionResult } from "../latchkey-auth.ts"
import type { Cookie } from "../types.ts"
import { canSetCookies, type ResponseCookies } from "./set-cookie.ts"

/**
 * Returns the session of a request, and adds its cookies to the response.
 *
 * A sign-in or sign-out that happens meanwhile wins: the cookies of the read are then dropped. If the response has been
 * sent, the read changes nothing; a later request renews the session.
 *
 * @param request any object that lives as long as the request
 * @throws AuthError when the session could not be checked
 */
export async function getRequestSession(
  engine: Pick<Engine, "getSession">,
  authRequest: AuthRequest,
  request: object,
  response: ResponseCookies,
  options?: GetSessionOptions,
): Promise<SessionResult> {
  const addCookies = trackSessionRead(request, response)
  try {
    const readOptions = { canSetCookies: canSetCookies(response, options) }
    const result = await engine.getSession(authRequest, readOptions)
    addCookies(result.cookies, false)
    return result
  } catch (error) {
    addCookies(getErrorCookies(error), true)
    throw error
  }
}

/**
 * For each request, the states that failed reads left the cookies in, and the states that they replaced. A failed read
 * does not count as a sign-in or sign-out.
 */
const replacedStates = new WeakMap<object, Map<string, string>>()

/**
 * Remembers the response's session cookies from before the read. Returns a function that adds the cookies of the read,
 * unless a sign-in or sign-out has changed the session cookies meanwhile, or the response has been sent. It returns
 * whether the cookies still apply.
 */
export function trackSessionRead(request: object, response: ResponseCookies) {
  const initialLines = response.getLines()

  return (cookies: readonly Cookie[], hasFailed: boolean): boolean => {
    if (cookies.length === 0) return true
    const states = replacedStates.get(request) ?? new Map<string, string>()
    const baseNames = new Set(cookies.map(({ name }) => removeChunkSuffix(name)))
    const getState = (lines: readonly string[]): string =>
      lines.filter((line) => baseNames.has(removeChunkSuffix(parseCookieName(line)))).join("\n")
    const getOriginalState = (lines: readonly string[]): string => {
      const state = getState(lines)
      return states.get(state) ?? state
    }
    const initialState = getOriginalState(initialLines)
    if (getOriginalState(response.getLines()) !== initialState) return false
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
