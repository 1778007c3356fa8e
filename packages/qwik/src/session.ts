import { serializeCookie } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { assertSameOrigin } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import {
  type ConfigSource,
  disableCachingOfCookies,
  getAuthContext,
  getConfig,
  getLoadedConfig,
} from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import type { QwikEvent } from "./event.ts"

/** The result of {@link getSession} for a configuration of the type `Config`. */
export type GetSessionResult<Config = ResumableAuthConfig> = Promise<{
  /** The `Set-Cookie` lines of a renewed session, not enumerable. The response has them already. */
  cookie: string[]
  /** Null when nobody is signed in. */
  data: InferSession<Config> | null
}>

/**
 * Returns the session of a request, for a middleware, an endpoint, or another server function that has its event. It is
 * read once per request. A renewed session is set on the response, unless that has been sent.
 *
 * The session has the type that the `session` callback of the configuration returns. For TypeScript to know the
 * callback, write the configuration with `defineConfig` or `satisfies ResumableAuthConfig`.
 *
 * @param config the object that you pass to `ResumableAuth$`, which is also the default
 * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
 * @throws TypeError when the configuration or `AUTH_URL` is invalid, or there is no configuration
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
  const { session, cookies } = await authContext.getSession()
  // Qwik writes what a loader returns into the page, but only properties that are enumerable.
  const cookie = { value: cookies.map(serializeCookie) }
  return Object.defineProperty({ data: session }, "cookie", cookie) as Awaited<GetSessionResult>
}

/**
 * Changes the session in an action of the application and returns the new one; null when nobody is signed in. The page
 * that the action responds with has the new session, too.
 *
 * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
 * @param config the object that you pass to `ResumableAuth$`, which is also the default
 * @throws AuthError when the session could not be checked and is unchanged; MissingCSRF for a request from another site
 * @throws TypeError when the configuration or `AUTH_URL` is invalid, or there is no configuration
 */
export function updateSession<Config extends ResumableAuthConfig = ResumableAuthConfig>(
  event: QwikEvent,
  data: unknown,
  config?: Config,
): Promise<InferSession<Config> | null>
export async function updateSession(
  event: QwikEvent,
  data: unknown,
  config?: ResumableAuthConfig,
): Promise<Session | null> {
  const authContext = getAuthContext(event, config ?? (await getLoadedConfig(event)))
  assertSameOrigin(event.request.headers, authContext.url.origin)
  const session = await authContext.updateSession(data)
  event.sharedMap.set("session", session)
  return session
}

/**
 * Sets `session` of `event.sharedMap`, where Auth.js puts it: null if nobody is signed in, or if the session could not
 * be checked. An existing value stays.
 */
export async function shareSession(event: QwikEvent, config: ResumableAuthConfig): Promise<void> {
  const { sharedMap, request } = event
  if (sharedMap.has("session")) return
  sharedMap.set("session", null)
  // Without a cookie nobody is signed in, as in requests that generate static pages, which have no secret.
  if (!request.headers.has("cookie")) return
  try {
    sharedMap.set("session", (await getSession(event, config)).data)
  } catch (error) {
    // The error is in the log, and `getSession` throws it again for those who call it.
    if (!(error instanceof AuthError)) throw error
  }
}

/** The event of a loader. Throw what its method returns. */
interface LoaderEvent extends QwikEvent {
  error(status: 503, message: string): unknown
}

/**
 * Returns the session for a page. If it cannot be checked, the page is not rendered at all, because it would look as if
 * nobody were signed in.
 */
export async function readPageSession(
  event: LoaderEvent,
  source: ConfigSource,
): Promise<Session | null> {
  try {
    return (await getSession(event, await getConfig(event, source))).data
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const unavailable = event.error(503, "The session is unavailable.")
    // `error` removes the headers, but not the cookies.
    disableCachingOfCookies(event)
    throw unavailable
  }
}
