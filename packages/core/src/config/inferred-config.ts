/** The configuration as `createAuth` and `defineConfig` take it: TypeScript infers its type arguments. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { Awaitable, JWT, PublicSession, Session, User } from "../types.ts"
import type {
  AuthConfig,
  CallbacksOptions,
  EventCallbacks,
  JWTParams,
  SessionMessage,
  SessionOptions,
  SessionParams,
} from "./auth-config.ts"

/** Where sessions are kept. */
export type SessionStrategyName = SessionOptions["strategy"]

/** What a `session` callback may answer. A date becomes text. */
export interface SessionCallbackResult {
  user?: User
  expires: string | Date
}

/**
 * A mark on the token that a `jwt` callback is given. It is private, so that a copy made by spreading is without it:
 * TypeScript would otherwise take "a copy with a role, or the token as it was" for just a token, and forget the role.
 */
declare class CallbackTokenBrand {
  private readonly brand
}

/** The token that a `jwt` callback is given, recognised when it is returned as it is. */
export type CallbackToken = JWT & CallbackTokenBrand

/**
 * The claims of session tokens where the `jwt` callback returns `Returned`. Where that may be the token as it was,
 * claims which are added at other times are optional.
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

/** What any of several types has: a token that is returned as it was may have come from each of them. */
type OptionalMembers<Each> = { [Name in UnionKeys<Each>]?: UnionValue<Each, Name> }
type UnionKeys<Each> = Each extends unknown ? keyof Each : never
type UnionValue<Each, Name> = Each extends unknown
  ? Name extends keyof Each
    ? Each[Name]
    : never
  : never

/** The strategy that a configuration has by what it says of it (never: nothing) and by its adapter; else both. */
type InferStrategy<Strategy, ConfiguredAdapter> = [Strategy] extends [never]
  ? [ConfiguredAdapter] extends [undefined]
    ? "jwt"
    : undefined extends ConfiguredAdapter
      ? SessionStrategyName
      : "database"
  : Strategy

/** What a `session` callback gets with strategy `jwt`. */
type JWTSessionParams<Claims> = Omit<SessionParams<Claims>, "session" | "user"> & {
  session: Session & { user: User }
  /** Absent: only strategy `database` asks the database for the user. */
  user?: AdapterUser
}

/** What a `session` callback gets with strategy `database`. */
type DatabaseSessionParams = Omit<SessionParams, "session" | "token"> & {
  session: Omit<Session, "expires"> & AdapterSession & { user: AdapterUser }
  /** Absent: only strategy `jwt` has claims. */
  token?: JWT
}

/** What the `session` event tells with strategy `database`. */
type DatabaseSessionMessage<SessionData> = {
  session: SessionData
  /** Absent: only strategy `jwt` has claims. */
  token?: JWT
}

/** What a `session` callback gets, as far as the strategy is known. */
export type InferSessionParams<JWTResult, Strategy, ConfiguredAdapter> = ByStrategy<
  InferStrategy<Strategy, ConfiguredAdapter>,
  JWTSessionParams<InferClaims<JWTResult>>,
  DatabaseSessionParams,
  SessionParams<InferClaims<JWTResult>>
>

/** What the `session` event tells, as far as the strategy is known. */
export type InferSessionMessage<JWTResult, CallbackSession, Strategy, ConfiguredAdapter> =
  ByStrategy<
    InferStrategy<Strategy, ConfiguredAdapter>,
    SessionMessage<PublicSession<CallbackSession>, InferClaims<JWTResult>>,
    DatabaseSessionMessage<PublicSession<CallbackSession>>,
    SessionMessage<PublicSession<CallbackSession>, InferClaims<JWTResult>>
  >

type ByStrategy<Strategy, Token, Stored, Either> = [Strategy] extends ["jwt"]
  ? Token
  : [Strategy] extends ["database"]
    ? Stored
    : Either

/** What is common to whatever a callback or an event is told of a session. */
export interface SessionHookParams {
  session?: object
  token?: object
}

/**
 * Refuses a `session` callback whose parameters, declared elsewhere, ask for other claims than the `jwt` callback
 * returns. (It stands beside the callbacks: in their own types it would decide what `Returned` is.)
 */
type RequireMatchingClaims<JWTResult, Params> = Params extends { token?: infer Claims }
  ? [InferClaims<JWTResult>] extends [Claims]
    ? unknown
    : { session?: (params: SessionParams<InferClaims<JWTResult>>) => unknown }
  : unknown

interface InferredCallbacks<JWTResult, CallbackSession, Params>
  extends Omit<CallbacksOptions, "jwt" | "session"> {
  /** Shapes the session that is given out. Default: name, email, image and expires. */
  session: (params: Params) => Awaitable<CallbackSession>
  /** Shapes the session token (strategy `jwt`); null ends the session. */
  jwt: (params: JWTParams<CallbackToken>) => Awaitable<JWTResult | null>
}

/**
 * A configuration, with what can be told from it: what its `jwt` callback returns, what its `session` callback answers,
 * which strategy it says, and its adapter. `Params` and `Message` follow from these; they are arguments of their own
 * so that a function which stands further up does not settle the others before they are known.
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
