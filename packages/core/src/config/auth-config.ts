/** The configuration as an application writes it. `resolve.ts` turns it into the one that is used. */
import type { Adapter, AdapterSession, AdapterUser } from "../adapters.ts"
import type { JWTOptions } from "../crypto/jwt.ts"
import type { Provider } from "../providers/types.ts"
import type { raw, skipCSRFCheck } from "../symbols.ts"
import type {
  Account,
  Awaitable,
  CookiesOptions,
  CredentialInput,
  DefaultSession,
  JWT,
  LoggerInstance,
  PagesOptions,
  Profile,
  Session,
  Theme,
  User,
} from "../types.ts"

/** What a `session` callback gets. */
export type SessionParams<Claims = JWT> = {
  session: Session & AdapterSession & { user: AdapterUser }
  /** With strategy `database`. */
  user: AdapterUser
  /** With strategy `jwt`. */
  token: Claims
  /** What the client sent with an update: to be validated before use. */
  newSession: any
  trigger?: "update"
}

/** What a `jwt` callback gets. */
export type JWTParams<Token extends JWT = JWT> = {
  /** At sign-in: name, email, picture and sub; else all claims. */
  token: Token
  /** At sign-in. */
  user: User | AdapterUser
  /** At sign-in. */
  account?: Account | null
  /** At sign-in with an OAuth or OpenID Connect provider. */
  profile?: Profile
  trigger?: "signIn" | "signUp" | "update"
  /** @deprecated use `trigger === "signUp"` */
  isNewUser?: boolean
  /** What the client sent with an update: to be validated before use. */
  session?: any
}

/** Hooks into decisions; each replaces a default. */
export interface CallbacksOptions<Claims = JWT, CallbackSession = Session | DefaultSession> {
  /**
   * Decides whether a proven person may sign in: true goes on, false refuses (`AccessDenied`), a string is
   * where to send the browser instead.
   */
  signIn: (params: {
    user: User | AdapterUser
    account?: Account | null
    /** The full profile, with an OAuth or OpenID Connect provider. */
    profile?: Profile
    /** `verificationRequest` is true while a link is asked for, and absent when it is used. */
    email?: { verificationRequest?: boolean }
    credentials?: Record<string, CredentialInput>
  }) => Awaitable<boolean | string>
  /** Decides where to go after sign-in and sign-out. Default: only URLs of the own origin. */
  redirect: (params: { url: string; baseUrl: string }) => Awaitable<string>
  /** Shapes the session that is given out. Default: name, email, image and expires. */
  session: (params: SessionParams) => Awaitable<CallbackSession>
  /** Shapes the session token (strategy `jwt`); null ends the session. */
  jwt: (params: JWTParams) => Awaitable<Claims | null>
}

/** What the `session` event tells. */
export type SessionMessage<SessionData = Session, Claims = JWT> = {
  session: SessionData
  /** With strategy `jwt`. */
  token: Claims
}

/** Handlers for audit logging; what they throw is logged and changes nothing. */
export interface EventCallbacks<Message = SessionMessage> {
  /** Somebody signed in; `isNewUser` where the user was made by it. */
  signIn: (message: {
    user: User
    account?: Account | null
    profile?: Profile
    isNewUser?: boolean
  }) => Awaitable<void>
  /** Somebody signed out: the row that was removed, or the claims of the token. */
  signOut: (
    message: { session: AdapterSession | null | undefined } | { token: JWT | null },
  ) => Awaitable<void>
  /** A user was stored. */
  createUser: (message: { user: User }) => Awaitable<void>
  /** A stored user was changed: the address was proven. */
  updateUser: (message: { user: User }) => Awaitable<void>
  /** An account was stored with a user. */
  linkAccount: (message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }) => Awaitable<void>
  /** A session was given out. */
  session: (message: Message) => Awaitable<void>
}

/** Where sessions are kept and for how long. */
export interface SessionOptions<Strategy = "jwt" | "database"> {
  /** In a sealed cookie, or in the database of the adapter. @defaultValue `database` with an adapter, else `jwt` */
  strategy: Strategy
  /** Lifetime in seconds from the last renewal. @defaultValue 2592000 */
  maxAge: number
  /** A session is renewed at most once in so many seconds; 0 is every access. @defaultValue 86400 */
  updateAge: number
  /** Makes tokens of database sessions. @defaultValue 32 random bytes in hex */
  generateSessionToken: () => string
}

/** An attempt that the `rateLimit` hook may refuse. */
export interface RateLimitAttempt {
  action: "email-request" | "email-link" | "credentials" | "webauthn-options" | "webauthn"
  /** Id of the provider. */
  provider: string
  /** The address, where one is given; with credentials, what was typed into the first field that is no password. */
  identifier?: string
  request: Request
}

/**
 * The configuration of the library. Its `jwt` callback returns `Claims`, its `session` callback `Answer`:
 * `defineConfig` finds out what they are.
 */
export interface AuthConfig<Claims = JWT, CallbackSession = Session | DefaultSession> {
  /** Ways to sign in, in the order of their buttons. */
  providers: Provider[]
  /** Path that the routes of the library are under. @defaultValue `"/auth"` */
  basePath?: string
  /**
   * At least 32 random characters. With several, the first one is used for everything new, and what any of
   * them made is accepted.
   */
  secret?: string | string[] | undefined
  /** The database of users, accounts, sessions and links. */
  adapter?: Adapter
  /** Where sessions are kept and for how long. */
  session?: Partial<SessionOptions>
  /** How session tokens are made, where that differs. */
  jwt?: Partial<JWTOptions>
  /** Hooks into decisions; each replaces a default. */
  callbacks?: Partial<CallbacksOptions<Claims, CallbackSession>>
  /** Handlers for audit logging; what they throw is logged and changes nothing. */
  events?: Partial<EventCallbacks>
  /** URLs of pages that replace the built-in ones. */
  pages?: Partial<PagesOptions>
  /** Appearance of the built-in pages. */
  theme?: Theme
  /** Names and attributes of cookies; what is left out keeps its default. */
  cookies?: Partial<CookiesOptions>
  /** Cookies for https only, with the names that browsers reserve for them. @defaultValue true for requests by https */
  useSecureCookies?: boolean
  /** Has to be true: whoever serves the application guarantees that the host of a request is its own. */
  trustHost?: boolean
  /** Where providers send people back to, when it is not this deployment: up to the base path. */
  redirectProxyUrl?: string
  /**
   * Origins that a redirect proxy may forward to; a host may begin with `*.`. Sub-domains of its own host
   * and loopback addresses always are.
   */
  redirectProxyOrigins?: string[]
  /**
   * When a provider account joins the user who is signed in: only when the sign-in was begun with
   * `link: true`, or whenever somebody is signed in.
   * @defaultValue `"explicit"`
   */
  accountLinking?: "explicit" | "signed-in"
  /** Refuses an attempt by returning false, before anything is sent or checked. */
  rateLimit?: (attempt: RateLimitAttempt) => Awaitable<boolean>
  /** Writes debug lines of sign-ins and of the adapter, without secrets. @defaultValue false */
  debug?: boolean
  /**
   * Pages that say that something failed show what was expected and what came, without secrets, to the browser in which
   * it happened. `setEnvDefaults` switches it on where `NODE_ENV` is `development`. Not for production.
   * @defaultValue false
   */
  development?: boolean
  /** Where log lines go, by level; a level that is left out goes to the console. */
  logger?: Partial<LoggerInstance>
  /** What may change in any version: sign-in with passkeys and security keys. */
  experimental?: { enableWebAuthn?: boolean }
  /** For authors of framework packages: the symbol `skipCSRFCheck`. */
  skipCSRFCheck?: typeof skipCSRFCheck
  /** For authors of framework packages: the symbol `raw`. */
  raw?: typeof raw
}
