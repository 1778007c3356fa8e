/** The public functions: `createAuth` compiles a configuration, and `Auth` finds the compiled one. */
import type { Adapter } from "./adapters.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import type {
  InferredConfig,
  InferSessionMessage,
  InferSessionParams,
  SessionCallbackResult,
  SessionHookParams,
  SessionStrategyName,
} from "./config/define-config.ts"
import { createEngine, type Engine } from "./engine.ts"
import type { LatchkeyAuth, RawResponse } from "./latchkey-auth.ts"
import { raw } from "./symbols.ts"
import type { JWT, PublicSession, Session } from "./types.ts"

/**
 * Compiles a configuration. Reads it once and never writes to it.
 *
 * Logs the problems of the configuration, and refuses every request as long as there are any.
 *
 * Infers the type of sessions from the `session` callback, and the type of its `token` from the `jwt` callback: write
 * `jwt` above `session`.
 */
export function createAuth<
  Token extends JWT = JWT,
  SessionValue extends SessionCallbackResult = Session,
  Strategy extends SessionStrategyName = never,
  ConfigAdapter extends Adapter | undefined = undefined,
  Params extends SessionHookParams = InferSessionParams<Token, Strategy, ConfigAdapter>,
  Message extends SessionHookParams = InferSessionMessage<
    Token,
    SessionValue,
    Strategy,
    ConfigAdapter
  >,
>(
  config: InferredConfig<Token, SessionValue, Strategy, ConfigAdapter, Params, Message>,
): LatchkeyAuth<PublicSession<SessionValue>>
export function createAuth(config: object): LatchkeyAuth {
  // An inferred configuration only knows more about the types of its callbacks.
  return createEngine(config as AuthConfig)
}

interface CompiledConfig {
  readonly engine: Engine
  /** A copy of the configuration that was compiled. */
  readonly snapshot: Fields
}

const compiledConfigs = new WeakMap<AuthConfig, CompiledConfig>()

/** Returns the engine of a configuration object, and compiles it again if a field has changed. */
function getEngine(config: AuthConfig): Engine {
  // A value that is not a configuration cannot be a key. Its engine reports the problem.
  if (typeof config !== "object" || config === null) return createEngine(config)
  const cached = compiledConfigs.get(config)
  if (cached && haveSameEntries(cached.snapshot, { ...config })) return cached.engine
  const engine = createEngine(config)
  compiledConfigs.set(config, { engine, snapshot: copyFields(config) })
  return engine
}

type Fields = Readonly<Record<string, unknown>>

/** Compares two levels, so that a secret that was removed from its array is no longer accepted. */
function haveSameEntries(a: Fields, b: Fields, depth = 2): boolean {
  const names = Object.keys(b)
  const isSame = (x: unknown, y: unknown): boolean =>
    x === y || (depth > 1 && isCollection(x) && isCollection(y) && haveSameEntries(x, y, depth - 1))
  return names.length === Object.keys(a).length && names.every((name) => isSame(a[name], b[name]))
}

function isCollection(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

function copyFields(config: AuthConfig): Fields {
  const copies = Object.entries(config).map(([name, value]) => [
    name,
    isCollection(value) ? { ...value } : value,
  ])
  return Object.fromEntries(copies)
}

export function Auth(
  request: Request,
  config: AuthConfig & { raw: typeof raw },
): Promise<RawResponse>
export function Auth(request: Request, config: Omit<AuthConfig, "raw">): Promise<Response>
/**
 * Handles a request to one of the actions. Always resolves to a `Response`. With `raw`, resolves to the parts of the
 * response, and rejects with an `AuthError` where a browser would see an error page.
 */
export function Auth(request: Request, config: AuthConfig): Promise<Response | RawResponse> {
  const engine = getEngine(config)
  return config?.raw === raw ? engine.handleRaw(request) : engine.handle(request)
}
