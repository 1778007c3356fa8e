/** The two ways to the engine: compiled by the caller, or found for a configuration object. */
import type { Adapter } from "./adapters.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import type {
  InferredConfig,
  InferSessionMessage,
  InferSessionParams,
  SessionCallbackResult,
  SessionHookParams,
  SessionStrategyName,
} from "./config/inferred-config.ts"
import { createEngine, type Engine } from "./engine.ts"
import type { LatchkeyAuth, RawResponse } from "./latchkey-auth.ts"
import { raw } from "./symbols.ts"
import type { JWT, PublicSession, Session } from "./types.ts"

/**
 * Compiles a configuration. The configuration is read once and never written to.
 *
 * Problems of the configuration are logged; every request is refused until they are gone.
 *
 * The type of its sessions is what the `session` callback returns, and `token` in there what the `jwt` callback
 * returns: write `jwt` above `session`.
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
  // An inferred configuration is one like others: all that differs is how much is known of its callbacks.
  return createEngine(config as AuthConfig)
}

interface CompiledConfig {
  readonly engine: Engine
  /** The fields that it was compiled from. */
  readonly fields: Fields
}

const compiledConfigs = new WeakMap<AuthConfig, CompiledConfig>()

/** The engine of a configuration object; compiled anew when one of its fields is another one. */
function getEngine(config: AuthConfig): Engine {
  // What is no configuration at all has problems too, and is answered with them.
  if (typeof config !== "object" || config === null) return createEngine(config)
  const cached = compiledConfigs.get(config)
  if (cached && haveSameFields(cached.fields, { ...config })) return cached.engine
  const engine = createEngine(config)
  compiledConfigs.set(config, { engine, fields: copyFields(config) })
  return engine
}

/** One level deep, so that a secret which was taken out of its array is not accepted any longer. */
function haveSameFields(a: Fields, b: Fields): boolean {
  const names = Object.keys(b)
  return (
    names.length === Object.keys(a).length &&
    names.every((name) => a[name] === b[name] || haveSameEntries(a[name], b[name]))
  )
}

function haveSameEntries(a: unknown, b: unknown): boolean {
  if (!isArrayOrPlainObject(a) || !isArrayOrPlainObject(b)) return false
  const names = Object.keys(b)
  return names.length === Object.keys(a).length && names.every((name) => a[name] === b[name])
}

type Fields = Readonly<Record<string, unknown>>

function isArrayOrPlainObject(value: unknown): value is Fields {
  if (Array.isArray(value)) return true
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

/** What a configuration holds now, to be compared with what it holds later. */
function copyFields(config: AuthConfig): Fields {
  const copies = Object.entries(config).map(([name, value]) => {
    if (Array.isArray(value)) return [name, [...value]]
    return [name, isArrayOrPlainObject(value) ? { ...value } : value]
  })
  return Object.fromEntries(copies)
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
  const engine = getEngine(config)
  return config?.raw === raw ? engine.handleRaw(request) : engine.handle(request)
}
