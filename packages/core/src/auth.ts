/** The public functions: `createAuth` compiles a configuration, and `Auth` finds the compiled one. */
import type { Adapter } from "./adapters.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import type {
  InferredConfig,
  InferSessionMessage,
  InferSessionParams,
  InferStrategy,
  SessionCallbackResult,
  SessionHookParams,
  SessionStrategyName,
} from "./config/define-config.ts"
import { createEngine, createEngineCache, type Engine, type EngineCache } from "./engine.ts"
import type { LatchkeyAuth, RawResponse } from "./latchkey-auth.ts"
import { isPlainObject } from "./objects.ts"
import { raw } from "./symbols.ts"
import type { JWT, Session, StrategySession } from "./types.ts"

/**
 * Compiles a configuration. Reads it once and never writes to it.
 *
 * Logs the problems of the configuration, and refuses every request as long as there are any. A provider with a problem
 * of its own is left out instead.
 *
 * Infers the type of sessions from the `session` callback, and the type of its `token` from the `jwt` callback: write
 * `jwt` above `session`.
 */
export function createAuth<
  Token extends JWT = JWT,
  Result extends SessionCallbackResult = Session,
  Strategy extends SessionStrategyName = never,
  ConfigAdapter extends Adapter | undefined = undefined,
  Params extends SessionHookParams = InferSessionParams<Token, Strategy, ConfigAdapter>,
  Message extends SessionHookParams = InferSessionMessage<Token, Result, Strategy, ConfigAdapter>,
>(
  config: InferredConfig<Token, Result, Strategy, ConfigAdapter, Params, Message>,
): LatchkeyAuth<StrategySession<Result, InferStrategy<Strategy, ConfigAdapter>>>
export function createAuth(config: object): LatchkeyAuth {
  // An inferred configuration only knows more about the types of its callbacks.
  return createEngine(config as AuthConfig)
}

/** The lines that `Auth` has logged: an equal configuration, created for each request, does not repeat them. */
const { reported }: EngineCache = createEngineCache()

/** The engine of each configuration object, with the entries that were compiled. */
const compiledConfigs = new WeakMap<AuthConfig, { engine: Engine; entries: readonly unknown[] }>()

/** Returns the engine of a configuration object, and compiles it again if a field has changed. */
function getEngine(config: AuthConfig): Engine {
  // A value that is not a configuration cannot be a key. Its engine reports the problem.
  if (typeof config !== "object" || config === null) return compile(config)
  const entries = listEntries(config)
  const compiled = compiledConfigs.get(config)
  const isCurrent =
    compiled?.entries.length === entries.length &&
    compiled.entries.every((entry, i) => entry === entries[i])
  if (isCurrent) return compiled.engine
  const engine = compile(config)
  compiledConfigs.set(config, { engine, entries })
  return engine
}

const compile = (config: AuthConfig): Engine =>
  createEngine(config, { ...createEngineCache(), reported })

/** Marks where the entries of a nested object start and end. */
const nested = Symbol("nested")

/** Lists the entries of two levels, so that a secret that was removed from its array is no longer accepted. */
function listEntries(config: AuthConfig): readonly unknown[] {
  return Object.entries(config).flatMap(([name, value]): unknown[] => {
    // Without their indices, because there may be a thousand providers, and this runs for each request.
    if (Array.isArray(value)) return [name, nested, ...value, nested]
    if (isPlainObject(value)) return [name, nested, ...Object.entries(value).flat(), nested]
    return [name, value]
  })
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
