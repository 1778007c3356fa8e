/** What is known of a request: how the library is configured for it, and who made it. */
import { createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { Cookie, Session } from "@latchkey/core/types"
import type { ResumableAuthConfig } from "./config.ts"
import { toEnvironmentVariables } from "./environment.ts"
import type { QwikEvent } from "./event.ts"

/** A function of the request that gives the configuration: a QRL, whose code is loaded when it is called. */
export type ConfigSource = (event: never) => Promise<ResumableAuthConfig | false>

/** A request, for one configuration. */
export interface AuthContext {
  readonly integratedAuth: IntegratedAuth
  /** As the browser sees the page. */
  readonly url: URL
  /** Who made the request, once somebody asked. */
  session?: Promise<LoadedSession> | undefined
}

/** A session, and the cookies that went out with it. */
export interface LoadedSession {
  readonly session: Session | null
  readonly cookies: readonly Cookie[]
}

/** What the events of one request share. */
interface RequestState {
  readonly configs: Map<ConfigSource, Promise<ResumableAuthConfig>>
  readonly authContexts: Map<ResumableAuthConfig, AuthContext>
}

// In library mode the application's bundler takes a call out only where it is marked so.
const resolveAuth = /*#__PURE__*/ createAuthResolver({ basePath: "/auth", trustSameOrigin: true })

const requestStates = /*#__PURE__*/ new WeakMap<QwikEvent["sharedMap"], RequestState>()

function getRequestState({ sharedMap }: QwikEvent): RequestState {
  const existing = requestStates.get(sharedMap)
  if (existing) return existing
  const state: RequestState = { configs: new Map(), authContexts: new Map() }
  requestStates.set(sharedMap, state)
  return state
}

/**
 * The configuration for a request. It is asked for once, so that one which is made anew is compiled once.
 *
 * @throws TypeError when there is none
 */
export function getConfig(event: QwikEvent, source: ConfigSource): Promise<ResumableAuthConfig> {
  const { configs } = getRequestState(event)
  const existing = configs.get(source)
  if (existing) return existing
  // The event is that of the application's major version, of which this module knows the common parts.
  const config = source(event as never).then(requireConfig)
  configs.set(source, config)
  return config
}

function requireConfig(config: ResumableAuthConfig | false): ResumableAuthConfig {
  if (config) return config
  throw new TypeError("ResumableAuth$ was given no configuration on the server.")
}

/**
 * The configuration that `onRequest` asked for.
 *
 * @throws TypeError where it did not run
 */
export function getLoadedConfig(event: QwikEvent): Promise<ResumableAuthConfig> {
  const [config] = getRequestState(event).configs.values()
  if (config) return config
  throw new TypeError(
    "No configuration is known here: export `onRequest` in src/routes/plugin@auth.ts, or hand the configuration over.",
  )
}

/**
 * What is known of a request. The configuration is compiled with the environment as it is when it is used first.
 *
 * @throws InvalidRequest 400 when nothing names a host
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or `basePath` does not begin with a slash
 */
export function getAuthContext(event: QwikEvent, config: ResumableAuthConfig): AuthContext {
  const { authContexts } = getRequestState(event)
  const existing = authContexts.get(config)
  if (existing) return existing
  const integratedAuth = getIntegratedAuth(event, config)
  const url = integratedAuth.resolveRequestUrl({
    url: event.url.href,
    headers: event.request.headers,
  })
  const authContext: AuthContext = { integratedAuth, url }
  authContexts.set(config, authContext)
  return authContext
}

/** A configuration, compiled. In an application that is under a path of its own, the actions are below that. */
export function getIntegratedAuth(
  { env, basePathname }: QwikEvent,
  config: ResumableAuthConfig,
): IntegratedAuth {
  const basePath = basePathname === "/" ? undefined : `${basePathname}auth`
  return resolveAuth(config, toEnvironmentVariables(env), basePath)
}
