/** What is known of a request: how the library is configured for it, and who made it. */
import { createMount, type Mounted } from "@latchkey/core/mounting"
import type { Cookie, Session } from "@latchkey/core/types"
import type { ResumableAuthConfig } from "./config.ts"
import { variablesOf } from "./environment.ts"
import type { AuthEvent } from "./event.ts"

/** A function of the request that gives the configuration: a QRL, whose code is loaded when it is called. */
export type ConfigSource = (event: never) => Promise<ResumableAuthConfig | false>

/** A request, for one configuration. */
export interface Visit {
  readonly mounted: Mounted
  /** As the browser sees the page. */
  readonly url: URL
  /** Who made the request, once somebody asked. */
  session?: Promise<SessionRead> | undefined
}

/** A session, and the cookies that went out with it. */
export interface SessionRead {
  readonly session: Session | null
  readonly cookies: readonly Cookie[]
}

/** What the events of one request share. */
interface Shared {
  readonly configs: Map<ConfigSource, Promise<ResumableAuthConfig>>
  readonly visits: Map<ResumableAuthConfig, Visit>
}

// In library mode the application's bundler takes a call out only where it is marked so.
const mount = /*#__PURE__*/ createMount({ basePath: "/auth", ownPagesSuffice: true })

const requests = /*#__PURE__*/ new WeakMap<AuthEvent["sharedMap"], Shared>()

function sharedOf({ sharedMap }: AuthEvent): Shared {
  const known = requests.get(sharedMap)
  if (known) return known
  const made: Shared = { configs: new Map(), visits: new Map() }
  requests.set(sharedMap, made)
  return made
}

/**
 * The configuration for a request. It is asked for once, so that one which is made anew is compiled once.
 *
 * @throws TypeError when there is none
 */
export function configFor(event: AuthEvent, source: ConfigSource): Promise<ResumableAuthConfig> {
  const { configs } = sharedOf(event)
  const known = configs.get(source)
  if (known) return known
  // The event is that of the application's major version, of which this module knows the common parts.
  const asked = source(event as never).then(given)
  configs.set(source, asked)
  return asked
}

function given(config: ResumableAuthConfig | false): ResumableAuthConfig {
  if (config) return config
  throw new TypeError("ResumableAuth$ was given no configuration on the server.")
}

/**
 * The configuration that `onRequest` asked for.
 *
 * @throws TypeError where it did not run
 */
export function knownConfig(event: AuthEvent): Promise<ResumableAuthConfig> {
  const [config] = sharedOf(event).configs.values()
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
export function visitOf(event: AuthEvent, config: ResumableAuthConfig): Visit {
  const { visits } = sharedOf(event)
  const known = visits.get(config)
  if (known) return known
  const mounted = mountedFor(event, config)
  const url = mounted.locate({ url: event.url.href, headers: event.request.headers })
  const visit: Visit = { mounted, url }
  visits.set(config, visit)
  return visit
}

/** A configuration, compiled. In an application that is under a path of its own, the actions are below that. */
export function mountedFor({ env, basePathname }: AuthEvent, config: ResumableAuthConfig): Mounted {
  const basePath = basePathname === "/" ? undefined : `${basePathname}auth`
  return mount(config, variablesOf(env), basePath)
}
