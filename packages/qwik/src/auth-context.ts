/** The contexts of a request, which its events share. */
import { serializeCookie } from "@latchkey/core"
import {
  AuthContext,
  type AuthResolver,
  createAuthResolver,
  createResponseCookies,
  type IntegratedAuth,
  keepOutOfCaches,
  type ResponseCookies,
} from "@latchkey/core/integration"
import type { ResumableAuthConfig } from "./config.ts"
import { toEnvironmentVariables } from "./environment.ts"
import type { QwikEvent } from "./event.ts"

/** Returns the configuration for a request. It is a QRL, whose code is loaded when it is called. */
export type ConfigSource = (event: never) => Promise<ResumableAuthConfig | false>

interface RequestState {
  /** The event that asked last. All events of a request write to the same response. */
  event: QwikEvent
  readonly cookies: ResponseCookies
  readonly configs: Map<ConfigSource, Promise<ResumableAuthConfig>>
  readonly authContexts: Map<ResumableAuthConfig, AuthContext>
}

// In library mode, the application's bundler removes unused calls only if they are marked as pure.
export const resolveAuth: AuthResolver = /*#__PURE__*/ createAuthResolver({
  basePath: "/auth",
  trustSameOrigin: true,
})

const requestStates = /*#__PURE__*/ new WeakMap<QwikEvent["sharedMap"], RequestState>()

function getRequestState(event: QwikEvent): RequestState {
  const existing = requestStates.get(event.sharedMap)
  if (existing) {
    existing.event = event
    return existing
  }
  const cookies = createResponseCookies((cookie) => {
    // Qwik's own options have fewer attributes, and it does not encode. It accepts a value that contains the
    // attributes, and writes the cookies of a `Response` that way, too.
    const line = serializeCookie(cookie)
    state.event.cookie.set(cookie.name, line.slice(line.indexOf("=") + 1))
    keepOutOfCaches(state.event.headers)
  })
  cookies.canSet = () => state.event.headersSent !== true
  const state: RequestState = { event, cookies, configs: new Map(), authContexts: new Map() }
  requestStates.set(event.sharedMap, state)
  return state
}

/** Keeps the response out of caches if it sets cookies. Call it again when Qwik has removed the headers. */
export function disableCachingOfCookies(event: QwikEvent): void {
  if (getRequestState(event).cookies.getLines().length > 0) keepOutOfCaches(event.headers)
}

/**
 * Returns the configuration for a request. The source is called once, so that a configuration that it creates is
 * compiled once.
 *
 * @throws TypeError when there is none
 */
export function getConfig(event: QwikEvent, source: ConfigSource): Promise<ResumableAuthConfig> {
  const { configs } = getRequestState(event)
  const existing = configs.get(source)
  if (existing) return existing
  // The event is that of the application's Qwik version. `QwikEvent` describes what all versions have in common.
  const config = source(event as never).then(requireConfig)
  configs.set(source, config)
  return config
}

function requireConfig(config: ResumableAuthConfig | false): ResumableAuthConfig {
  if (config) return config
  throw new TypeError("ResumableAuth$ received no configuration on the server.")
}

/**
 * Returns the configuration that `onRequest` loaded.
 *
 * @throws TypeError when it did not run
 */
export function getLoadedConfig(event: QwikEvent): Promise<ResumableAuthConfig> {
  const [config] = getRequestState(event).configs.values()
  if (config) return config
  throw new TypeError(
    "There is no configuration: export `onRequest` in src/routes/plugin@auth.ts, or pass the configuration.",
  )
}

/**
 * Returns the context of a request for a configuration, always the same one.
 *
 * @throws InvalidRequest 400 when nothing names a host
 * @throws TypeError when `AUTH_URL` is not an http(s) URL, or `basePath` does not start with a slash
 */
export function getAuthContext(event: QwikEvent, config: ResumableAuthConfig): AuthContext {
  const { authContexts, cookies } = getRequestState(event)
  const existing = authContexts.get(config)
  if (existing) return existing
  const integratedAuth = getIntegratedAuth(event, config)
  const { headers } = event.request
  // The URL of the page. The URL of the request may be that of its data.
  const url = integratedAuth.resolveRequestUrl({ url: event.url.href, headers })
  const clientAddress = event.clientConn?.ip
  const init = { headers, resolveUrl: () => url, cookies, clientAddress }
  const authContext = new AuthContext(integratedAuth, init)
  authContexts.set(config, authContext)
  return authContext
}

/** Compiles a configuration. If the application is not at the root of its host, the actions are below its path. */
export function getIntegratedAuth(
  { env, basePathname }: QwikEvent,
  config: ResumableAuthConfig,
): IntegratedAuth {
  const basePath = basePathname === "/" ? undefined : `${basePathname}auth`
  return resolveAuth(config, toEnvironmentVariables(env), basePath)
}
