/**
 * The public functions, and the types that they infer from a configuration: `createAuth` compiles it, `Auth` finds the
 * compiled one, and `defineConfig` returns it unchanged.
 */
import type { Adapter, AdapterSession, AdapterUser } from "./adapters.ts"
import type {
  AuthConfig,
  CallbacksOptions,
  EventCallbacks,
  JWTParams,
  SessionMessage,
  SessionOptions,
  SessionParams,
} from "./config/auth-config.ts"
import { createEngine, createEngineCache, type Engine, type EngineCache } from "./engine.ts"
import type { LatchkeyAuth, RawResponse } from "./latchkey-auth.ts"
import { isPlainObject } from "./objects.ts"
import { raw } from "./symbols.ts"
import type { Awaitable, JWT, PublicSession, Session, StrategySession, User } from "./types.ts"

/** Where sessions are stored. */
export type SessionStrategyName = SessionOptions["strategy"]

/** The value that a `session` callback may return. A date becomes a string. */
export interface SessionCallbackResult {
  user?: User
  expires: string | Date
}

/**
 * Marks the token that a `jwt` callback receives. The member is private, so that a copy made by spreading lacks it.
 * Otherwise TypeScript would reduce "a copy with a role, or the unchanged token" to a token, and lose the role.
 */
declare class CallbackTokenBrand {
  private readonly brand
}

/** The token that a `jwt` callback receives, which is recognised if the callback returns it unchanged. */
export type CallbackToken = JWT & CallbackTokenBrand

/**
 * The claims of session tokens if the `jwt` callback returns `JWTResult`. If it may return the unchanged token, claims
 * that it adds to copies are optional.
 */
export type InferClaims<JWTResult> = [Exclude<JWTResult, CallbackTokenBrand>] extends [never]
  ? JWT
  : [Extract<JWTResult, CallbackTokenBrand>] extends [never]
    ? JWTResult
    : KnownKeys<JWT> & OptionalMembers<Exclude<JWTResult, CallbackTokenBrand>> extends infer Claims
      ? { [Name in keyof Claims]: Claims[Name] }
      : never

/** A type without its index signature. */
type KnownKeys<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] }

/** The members of any type in a union, all optional: an unchanged token may have the claims of any of them. */
type OptionalMembers<Each> = { [Name in UnionKeys<Each>]?: UnionValue<Each, Name> }
type UnionKeys<Each> = Each extends unknown ? keyof Each : never
type UnionValue<Each, Name> = Each extends unknown
  ? Name extends keyof Each
    ? Each[Name]
    : never
  : never

/** The strategy of a configuration: the configured one (never if it is omitted), or the default for its adapter. */
export type InferStrategy<Strategy, ConfiguredAdapter> = [Strategy] extends [never]
  ? [ConfiguredAdapter] extends [undefined]
    ? "jwt"
    : undefined extends ConfiguredAdapter
      ? SessionStrategyName
      : "database"
  : Strategy

/** The parameters of the `session` callback with strategy `jwt`. */
type JWTSessionParams<Claims> = Omit<SessionParams<Claims>, "session" | "user"> & {
  session: Session & { user: User }
  /** Undefined: only strategy `database` reads the user from the database. */
  user?: AdapterUser
}

/** The parameters of the `session` callback with strategy `database`. */
type DatabaseSessionParams = Omit<SessionParams, "session" | "token"> & {
  session: Omit<Session, "expires"> & AdapterSession & { user: AdapterUser }
  /** Undefined: only strategy `jwt` has claims. */
  token?: JWT
}

/** The parameters of the `session` callback, as far as the strategy is known. */
export type InferSessionParams<JWTResult, Strategy, ConfiguredAdapter> = SessionParamsOf<
  InferStrategy<Strategy, ConfiguredAdapter>,
  InferClaims<JWTResult>
>

type SessionParamsOf<Strategy, Claims> = [Strategy] extends ["jwt"]
  ? JWTSessionParams<Claims>
  : [Strategy] extends ["database"]
    ? DatabaseSessionParams
    : SessionParams<Claims>

/** The message of the `session` event, as far as the strategy is known. */
export type InferSessionMessage<JWTResult, CallbackSession, Strategy, ConfiguredAdapter> = [
  InferStrategy<Strategy, ConfiguredAdapter>,
] extends ["database"]
  ? { session: PublicSession<CallbackSession>; token?: JWT }
  : SessionMessage<PublicSession<CallbackSession>, InferClaims<JWTResult>>

/** The common shape of the parameters of `session` callbacks and the messages of `session` events. */
export interface SessionHookParams {
  session?: object
  token?: object
}

/**
 * Rejects a `session` callback whose declared parameters require other claims than the `jwt` callback returns. It is
 * separate from the types of the callbacks, where it would affect the inference of `JWTResult`.
 */
type RequireMatchingClaims<JWTResult, Params> = Params extends { token?: infer Claims }
  ? [InferClaims<JWTResult>] extends [Claims]
    ? unknown
    : { session?: (params: SessionParams<InferClaims<JWTResult>>) => unknown }
  : unknown

interface InferredCallbacks<JWTResult, CallbackSession, Params>
  extends Omit<CallbacksOptions, "jwt" | "session"> {
  /** Returns the session that the client sees. By default, it has name, email, image and expires. */
  session: (params: Params) => Awaitable<CallbackSession>
  /** Returns the claims of the session token (strategy `jwt`). Return null to end the session. */
  jwt: (params: JWTParams<CallbackToken>) => Awaitable<JWTResult | null>
}

/**
 * A configuration and the types inferred from it: the results of its `jwt` and `session` callbacks, its strategy and
 * its adapter. `Params` and `Message` follow from these. They are separate type arguments, because otherwise a function
 * earlier in the object would fix the others before they are known.
 */
export interface InferredConfig<
  JWTResult,
  CallbackSession,
  Strategy,
  ConfiguredAdapter,
  Params,
  Message,
> extends Omit<AuthConfig, "adapter" | "callbacks" | "events" | "session"> {
  adapter?: ConfiguredAdapter
  session?: Partial<SessionOptions<Strategy>>
  callbacks?: Partial<InferredCallbacks<JWTResult, CallbackSession, Params>> &
    RequireMatchingClaims<JWTResult, Params>
  events?: Partial<EventCallbacks<Message>>
}

/**
 * Returns the configuration unchanged, with inferred types: `token` in the `session` callback and the `session` event
 * has the type that the `jwt` callback returns, and the session has the type that the `session` callback returns. Write
 * `jwt` above `session`.
 */
export function defineConfig<
  Token extends JWT = JWT,
  Result extends SessionCallbackResult = Session,
  Strategy extends SessionStrategyName = never,
  ConfigAdapter extends Adapter | undefined = undefined,
  Params extends SessionHookParams = InferSessionParams<Token, Strategy, ConfigAdapter>,
  Message extends SessionHookParams = InferSessionMessage<Token, Result, Strategy, ConfigAdapter>,
>(
  config: InferredConfig<Token, Result, Strategy, ConfigAdapter, Params, Message>,
): AuthConfig<InferClaims<Token>, StrategySession<Result, InferStrategy<Strategy, ConfigAdapter>>>
export function defineConfig(config: object): AuthConfig {
  return config as AuthConfig // only the types of the callbacks differ
}

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
