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

/** Hooks into decisions; each replaces a default. */
export interface CallbacksOptions {
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
  session: (params: {
    session: Session & AdapterSession & { user: AdapterUser }
    /** With strategy `database`. */
    user: AdapterUser
    /** With strategy `jwt`. */
    token: JWT
    /** What the client sent with an update: to be validated before use. */
    newSession: any
    trigger?: "update"
  }) => Awaitable<Session | DefaultSession>
  /** Shapes the session token (strategy `jwt`); null ends the session. */
  jwt: (params: {
    /** At sign-in: name, email, picture and sub; else all claims. */
    token: JWT
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
  }) => Awaitable<JWT | null>
}

/** Handlers for audit logging; what they throw is logged and changes nothing. */
export interface EventCallbacks {
  signIn: (message: {
    user: User
    account?: Account | null
    profile?: Profile
    isNewUser?: boolean
  }) => Awaitable<void>
  signOut: (
    message: { session: AdapterSession | null | undefined } | { token: JWT | null },
  ) => Awaitable<void>
  createUser: (message: { user: User }) => Awaitable<void>
  updateUser: (message: { user: User }) => Awaitable<void>
  linkAccount: (message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }) => Awaitable<void>
  session: (message: { session: Session; token: JWT }) => Awaitable<void>
}

/** Where sessions are kept and for how long. */
export interface SessionOptions {
  /** @defaultValue `database` with an adapter, else `jwt` */
  strategy: "jwt" | "database"
  /** Lifetime in seconds from the last renewal. @defaultValue 2592000 */
  maxAge: number
  /** A session is renewed at most once in so many seconds; 0 is every access. @defaultValue 86400 */
  updateAge: number
  /** Makes tokens of database sessions. @defaultValue 32 random bytes in hex */
  generateSessionToken: () => string
}

/** An attempt that the `rateLimit` hook may refuse. */
export interface RateLimitedAttempt {
  action: "email-request" | "email-link" | "credentials"
  /** Id of the provider. */
  provider: string
  /** The address; with credentials, what was typed into the first field that is no password. */
  identifier?: string
  request: Request
}

/** The configuration of the library. */
export interface AuthConfig {
  /** In the order of their buttons. */
  providers: Provider[]
  /** @defaultValue `"/auth"` */
  basePath?: string
  /**
   * At least 32 random characters. With several, the first one is used for everything new, and what any of
   * them made is accepted.
   */
  secret?: string | string[]
  adapter?: Adapter
  session?: Partial<SessionOptions>
  jwt?: Partial<JWTOptions>
  callbacks?: Partial<CallbacksOptions>
  events?: Partial<EventCallbacks>
  pages?: Partial<PagesOptions>
  theme?: Theme
  /** Names and attributes of cookies; what is left out keeps its default. */
  cookies?: Partial<CookiesOptions>
  /** @defaultValue true for requests by https */
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
  rateLimit?: (attempt: RateLimitedAttempt) => Awaitable<boolean>
  /** @defaultValue false */
  debug?: boolean
  logger?: Partial<LoggerInstance>
  experimental?: { enableWebAuthn?: boolean }
  /** For authors of framework packages: the symbol `skipCSRFCheck`. */
  skipCSRFCheck?: typeof skipCSRFCheck
  /** For authors of framework packages: the symbol `raw`. */
  raw?: typeof raw
}
