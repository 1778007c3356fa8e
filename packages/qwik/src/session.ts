import { serializeCookie } from "@latchkey/core"
import type { Cookie, InferSession } from "@latchkey/core/types"
import {
  type AuthContext,
  getAuthContext,
  getLoadedConfig,
  type LoadedSession,
} from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import { getCurrentHeaders, setCookies } from "./cookies.ts"
import type { QwikEvent } from "./event.ts"

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
  event: QwikEvent,
  config?: Config,
): GetSessionResult<Config>
export async function getSession(event: QwikEvent, config?: ResumableAuthConfig): GetSessionResult {
  const authContext = getAuthContext(event, config ?? (await getLoadedConfig(event)))
  authContext.session ??= readSession(event, authContext)
  const { session, cookies } = await authContext.session
  return { cookie: cookies.map(serializeCookie), data: session }
}

async function readSession(
  event: QwikEvent,
  { integratedAuth, url }: AuthContext,
): Promise<LoadedSession> {
  const headers = getCurrentHeaders(event)
  const setRefreshedCookies = (cookies: readonly Cookie[]): void => {
    // Where somebody has signed in or out meanwhile, that stands.
    if (getCurrentHeaders(event).get("cookie") === headers.get("cookie")) setCookies(event, cookies)
  }
  const result = await integratedAuth.engine.session(headers, url, setRefreshedCookies)
  setRefreshedCookies(result.cookies)
  return result
}
