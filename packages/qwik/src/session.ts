import { serializeCookie } from "@latchkey/core"
import type { Cookie, InferSession } from "@latchkey/core/types"
import type { ResumableAuthConfig } from "./config.ts"
import { currentHeaders, setCookies } from "./cookies.ts"
import type { AuthEvent } from "./event.ts"
import { knownConfig, type SessionRead, type Visit, visitOf } from "./visit.ts"

/** What {@link getSession} gives for a configuration of the type `Config`. */
export type GetSessionResult<Config = ResumableAuthConfig> = Promise<{
  /** `Set-Cookie` lines of a session that was refreshed, which the answer has already. */
  cookie: string[]
  /** Null when nobody is signed in. */
  data: InferSession<Config> | null
}>

/**
 * The session of a request, for a middleware, an endpoint, or another server function that has its event. It is looked
 * up once a request. A session that was refreshed goes back to the browser with the answer, as long as that is not
 * under way.
 *
 * Its type is what the `session` callback of the configuration returns, where TypeScript knows the callback: write the
 * configuration with `defineConfig`, or `satisfies ResumableAuthConfig`.
 *
 * @param config the same object that `ResumableAuth$` has; without it, that is what counts
 * @throws AuthError when the session could not be checked: it may still be valid, so this is no sign-out
 * @throws TypeError when the configuration or `AUTH_URL` cannot be used, or none is known
 * @example
 * export const onRequest: RequestHandler = async (event) => {
 *   const { data: session } = await getSession(event, config)
 *   if (!session?.user) throw event.redirect(303, "/signin")
 * }
 */
export function getSession<Config extends ResumableAuthConfig = ResumableAuthConfig>(
  event: AuthEvent,
  config?: Config,
): GetSessionResult<Config>
export async function getSession(event: AuthEvent, config?: ResumableAuthConfig): GetSessionResult {
  const visit = visitOf(event, config ?? (await knownConfig(event)))
  visit.session ??= look(event, visit)
  const { session, cookies } = await visit.session
  return { cookie: cookies.map(serializeCookie), data: session }
}

async function look(event: AuthEvent, { mounted, url }: Visit): Promise<SessionRead> {
  const headers = currentHeaders(event)
  const leave = (cookies: readonly Cookie[]): void => {
    // Where somebody has signed in or out meanwhile, that stands.
    if (currentHeaders(event).get("cookie") === headers.get("cookie")) setCookies(event, cookies)
  }
  const read = await mounted.auth.session(headers, url, leave)
  leave(read.cookies)
  return read
}
