import { trackSessionRead } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { ReactiveAuthConfig } from "./config.ts"
import { addSetCookieLines, getCurrentHeaders, getSetCookieLines } from "./cookies.ts"
import { findEvent, type StartEvent, type StartRequest } from "./event.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { getRequestUrl } from "./request-url.ts"
import { sanitizeAsyncErrors, sanitizeErrors } from "./sanitize-errors.ts"

/** What {@link getSession} gives for a configuration of the type `Config`. */
export type GetSessionResult<Config = ReactiveAuthConfig> = Promise<InferSession<Config> | null>

/** Refuses a configuration that has `raw`, which only `Auth` of the core understands. */
type WithoutRaw<Config> = Config extends { readonly raw: unknown } ? never : Config

/**
 * The session of a request, or null when nobody is signed in.
 *
 * A session that was refreshed goes back to the browser with the answer, as long as its headers are not sent: that of
 * the event, or for a request that of the event which is being answered. Hand over the event in a middleware, where
 * SolidStart 1 does not say which that is. Where there is none, the session is refreshed another time.
 *
 * Its type is what the `session` callback of the configuration returns, where TypeScript knows the callback: write the
 * configuration with `defineConfig`, or `satisfies ReactiveAuthConfig`.
 *
 * @param req the request, or its event
 * @param options the same object that the route has
 * @throws AuthError when the session could not be checked: it may still be valid, so this is no sign-out
 * @throws TypeError when the configuration or `AUTH_URL` cannot be used
 */
export function getSession<Config extends ReactiveAuthConfig>(
  req: StartRequest | StartEvent,
  options: Config & WithoutRaw<Config>,
): GetSessionResult<Config>
export async function getSession(
  req: StartRequest | StartEvent,
  options: ReactiveAuthConfig,
): Promise<Session | null> {
  const event = "request" in req ? req : findEvent(req)
  const integratedAuth = getIntegratedAuth(options)
  const url = sanitizeErrors(() => getRequestUrl(event, integratedAuth))
  const headers = getCurrentHeaders(event)
  const sessionRead = trackSessionRead(
    event.request,
    () => getSetCookieLines(event),
    (lines) => addSetCookieLines(event, lines),
  )
  const { session, cookies } = await sanitizeAsyncErrors(
    integratedAuth.engine.session(headers, url, sessionRead.fail),
  )
  sessionRead.complete(cookies)
  return session
}
