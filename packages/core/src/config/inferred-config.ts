/** The configuration as `createAuth` and `defineConfig` take it: TypeScript infers its type arguments. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { Awaitable, GivenSession, JWT, Session, User } from "../types.ts"
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
export type StrategyName = SessionOptions["strategy"]

/** What a `session` callback may answer. A date becomes text. */
export interface SessionAnswer {
  user?: User
  expires: string | Date
}

/**
 * A mark on the token that a `jwt` callback is given. It is private, so that a copy made by spreading is without it:
 * TypeScript would otherwise take "a copy with a role, or the token as it was" for just a token, and forget the role.
 */
declare class Mark {
  private readonly mark
}

/** The token that a `jwt` callback is given, recognised when it is returned as it is. */
export type OpenedToken = JWT & Mark

/**
 * The claims of session tokens where the `jwt` callback returns `Returned`. Where that may be the token as it was,
 * claims which are added at other times are optional.
 */
export type ClaimsOf<Returned> = [Exclude<Returned, Mark>] extends [never]
  ? JWT
  : [Extract<Returned, Mark>] extends [never]
    ? Returned
    : Named<JWT> & Added<Exclude<Returned, Mark>> extends infer Claims
      ? { [Name in keyof Claims]: Claims[Name] }
      : never

/** A type without its index signature. */
type Named<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] }

/** What any of several types has: a token that is returned as it was may have come from each of them. */
type Added<Each> = { [Name in KeyOf<Each>]?: ValueOf<Each, Name> }
type KeyOf<Each> = Each extends unknown ? keyof Each : never
type ValueOf<Each, Name> = Each extends unknown
  ? Name extends keyof Each
    ? Each[Name]
    : never
  : never

/** The strategy that a configuration has by what it says of it (never: nothing) and by its adapter; else both. */
type StrategyOf<Said, Stored> = [Said] extends [never]
  ? [Stored] extends [undefined]
    ? "jwt"
    : undefined extends Stored
      ? StrategyName
      : "database"
  : Said

/** What a `session` callback gets with strategy `jwt`. */
type TokenParams<Claims> = Omit<SessionParams<Claims>, "session" | "user"> & {
  session: Session & { user: User }
  /** Absent: only strategy `database` asks the database for the user. */
  user?: AdapterUser
}

/** What a `session` callback gets with strategy `database`. */
type StoredParams = Omit<SessionParams, "session" | "token"> & {
  session: Omit<Session, "expires"> & AdapterSession & { user: AdapterUser }
  /** Absent: only strategy `jwt` has claims. */
  token?: JWT
}

/** What the `session` event tells with strategy `database`. */
type StoredMessage<Given> = {
  session: Given
  /** Absent: only strategy `jwt` has claims. */
  token?: JWT
}

/** What a `session` callback gets, as far as the strategy is known. */
export type ParamsOf<Returned, Said, Stored> = ByStrategy<
  StrategyOf<Said, Stored>,
  TokenParams<ClaimsOf<Returned>>,
  StoredParams,
  SessionParams<ClaimsOf<Returned>>
>

/** What the `session` event tells, as far as the strategy is known. */
export type MessageOf<Returned, Answer, Said, Stored> = ByStrategy<
  StrategyOf<Said, Stored>,
  SessionMessage<GivenSession<Answer>, ClaimsOf<Returned>>,
  StoredMessage<GivenSession<Answer>>,
  SessionMessage<GivenSession<Answer>, ClaimsOf<Returned>>
>

type ByStrategy<Strategy, Token, Stored, Either> = [Strategy] extends ["jwt"]
  ? Token
  : [Strategy] extends ["database"]
    ? Stored
    : Either

/** What is common to whatever a callback or an event is told of a session. */
export interface Told {
  session?: object
  token?: object
}

/**
 * Refuses a `session` callback whose parameters, declared elsewhere, ask for other claims than the `jwt` callback
 * returns. (It stands beside the callbacks: in their own types it would decide what `Returned` is.)
 */
type Enough<Returned, Params> = Params extends { token?: infer Claims }
  ? [ClaimsOf<Returned>] extends [Claims]
    ? unknown
    : { session?: (params: SessionParams<ClaimsOf<Returned>>) => unknown }
  : unknown

interface InferredCallbacks<Returned, Answer, Params>
  extends Omit<CallbacksOptions, "jwt" | "session"> {
  /** Shapes the session that is given out. Default: name, email, image and expires. */
  session: (params: Params) => Awaitable<Answer>
  /** Shapes the session token (strategy `jwt`); null ends the session. */
  jwt: (params: JWTParams<OpenedToken>) => Awaitable<Returned | null>
}

/**
 * A configuration, with what can be told from it: what its `jwt` callback returns, what its `session` callback answers,
 * which strategy it says, and its adapter. `Params` and `Message` follow from these; they are arguments of their own
 * so that a function which stands further up does not settle the others before they are known.
 */
export interface InferredConfig<Returned, Answer, Said, Stored, Params, Message>
  extends Omit<AuthConfig, "adapter" | "callbacks" | "events" | "session"> {
  adapter?: Stored
  session?: Partial<SessionOptions<Said>>
  callbacks?: Partial<InferredCallbacks<Returned, Answer, Params>> & Enough<Returned, Params>
  events?: Partial<EventCallbacks<Message>>
}
