import { beginLook } from "@latchkey/core/mounting"
import type { InferSession, Session } from "@latchkey/core/types"
import { locate } from "./address.ts"
import type { ReactiveAuthConfig } from "./config.ts"
import { currentHeaders, linesOf, setLines } from "./cookies.ts"
import { eventOf, type StartEvent, type StartRequest } from "./event.ts"
import { mounted } from "./mounted.ts"
import { openly, outward } from "./outward.ts"

/** What {@link getSession} gives for a configuration of the type `Config`. */
export type GetSessionResult<Config = ReactiveAuthConfig> = Promise<InferSession<Config> | null>

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
  options: Config,
): GetSessionResult<Config>
export async function getSession(
  req: StartRequest | StartEvent,
  options: ReactiveAuthConfig,
): Promise<Session | null> {
  const event = "request" in req ? req : eventOf(req)
  const mount = mounted(options)
  const url = openly(() => locate(event, mount))
  const headers = currentHeaders(event)
  const look = beginLook(
    event.request,
    () => linesOf(event),
    (lines) => setLines(event, lines),
  )
  const { session, cookies } = await outward(mount.auth.session(headers, url, look.failed))
  look.found(cookies)
  return session
}
