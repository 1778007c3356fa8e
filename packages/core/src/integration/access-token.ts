/** Access tokens of the user who sent a request. */
import type { Engine } from "../engine.ts"
import type { AccessToken, AccessTokenOptions, AuthRequest } from "../latchkey-auth.ts"
import { trackSessionRead } from "./session-read.ts"
import { canSetCookies, type ResponseCookies } from "./set-cookie.ts"

/** How often in a row other code may change the session during a call. */
const maxTries = 5

/** The last call for each request. */
const lastCalls = new WeakMap<object, Promise<unknown>>()

/**
 * Returns an access token of the user who sent a request, and adds the cookies to the response: tokens in the session
 * that were refreshed are stored only there.
 *
 * Calls for the same request run one after the other, so that none overwrites the tokens of another one.
 *
 * @param authRequest has the cookies that the browser will have after the response so far, whenever it is read
 * @param request any object that lives as long as the request
 * @throws AccessTokenError when there is no token that can be used
 */
export function getRequestAccessToken(
  engine: Pick<Engine, "getAccessToken">,
  authRequest: AuthRequest,
  request: object,
  response: ResponseCookies,
  provider: string,
  options?: AccessTokenOptions,
): Promise<AccessToken> {
  const call = async (): Promise<AccessToken> => {
    for (let tries = 1; ; tries++) {
      const addCookies = trackSessionRead(request, response)
      const { cookies, ...token } = await engine.getAccessToken(authRequest, provider, {
        ...options,
        canSetCookies: canSetCookies(response, options),
      })
      // If the session was renewed meanwhile, the new one needs the tokens. They are not refreshed again.
      if (addCookies(cookies, false) || tries === maxTries) return token
    }
  }
  const previous = lastCalls.get(request) ?? Promise.resolve()
  const result = previous.then(call, call)
  lastCalls.set(request, result)
  return result
}
