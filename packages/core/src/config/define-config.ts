/** The configuration that `createAuth` and `defineConfig` accept. TypeScript infers its type arguments. */
import type { Adapter, AdapterSession, AdapterUser } from "../adapters.ts"
import type { Awaitable, JWT, PublicSession, Session, StrategySession, User } from "../types.ts"
import type {
  AuthConfig,
  CallbacksOptions,
  EventCallbacks,
  JWTParams,
  SessionMessage,
  SessionOptions,
  SessionParams,
} from "./auth-config.ts"

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
