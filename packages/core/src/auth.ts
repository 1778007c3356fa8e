/** The two ways to the engine: compiled by the caller, or found for a configuration object. */
import type { LatchkeyAuth, RawResponse } from "./api.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { createEngine, type Engine } from "./engine.ts"
import type { raw } from "./symbols.ts"

/**
 * Compiles a configuration. The configuration is read once and never written to.
 *
 * Problems of the configuration are logged; every request is refused until they are gone.
 */
export function createAuth(config: AuthConfig): LatchkeyAuth {
  return createEngine(config)
}

interface Compiled {
  readonly engine: Engine
  /** The fields that it was compiled from. */
  readonly fields: AuthConfig
}

const compiled = new WeakMap<AuthConfig, Compiled>()

/** The engine of a configuration object; compiled anew when one of its fields is another one. */
function engineFor(config: AuthConfig): Engine {
  const known = compiled.get(config)
  if (known && sameFields(known.fields, config)) return known.engine
  const engine = createEngine(config)
  compiled.set(config, { engine, fields: { ...config } })
  return engine
}

function sameFields(a: AuthConfig, b: AuthConfig): boolean {
  const names = Object.keys(b) as (keyof AuthConfig)[]
  return names.length === Object.keys(a).length && names.every((name) => a[name] === b[name])
}

export function Auth(
  request: Request,
  config: AuthConfig & { raw: typeof raw },
): Promise<RawResponse>
export function Auth(request: Request, config: Omit<AuthConfig, "raw">): Promise<Response>
/**
 * Answers a request to one of the actions. Always resolves to a `Response`; with `raw` it resolves to the
 * answer before that, and rejects with an `AuthError` where a browser would see an error page.
 */
export function Auth(request: Request, config: AuthConfig): Promise<Response | RawResponse> {
  const engine = engineFor(config)
  return config.raw === undefined ? engine.handle(request) : engine.handleRaw(request)
}
