/** The configuration that an application writes. `resolve-config.ts` turns it into a `ResolvedConfig`. */

import type { Language, Messages } from "@latchkey/pages"
import type { AttemptLimits } from "../actions/limits/limit-rules.ts"
import type {
  Adapter,
  AdapterCapabilities,
  AdapterSession,
  AdapterUser,
  LeaseStore,
  SessionRecordStore,
} from "../adapters.ts"
import type { AcceptedSessions, JWTOptions } from "../crypto/jwt.ts"
import type { FactorInfo } from "../latchkey-auth.ts"
import type { Provider } from "../providers/public-types.ts"
import type { Mailer } from "../providers/types.ts"
import type { raw, skipCSRFCheck } from "../symbols.ts"
import type {
  Account,
  Awaitable,
  CookiesOptions,
  CredentialInput,
  DefaultSession,
  FlowData,
  JWT,
  LoggerInstance,
  PagesOptions,
  Profile,
  RequestView,
  Session,
  Theme,
  User,
} from "../types.ts"
import type { SecondFactorOptions } from "./second-factor-options.ts"
import type { SecurityEvent } from "./security-events.ts"

/** The parameters of the `session` callback. */
export type SessionParams<Claims = JWT> = {
  /** The session that is returned by default: change and return it, or return another object. */
  session: Session & AdapterSession & { user: AdapterUser }
  /** Only with strategy `database`. */
  user: AdapterUser
  /** Only with strategy `jwt`. */
  token: Claims
  /** The data that the client sent with an update. Validate it before use. */
  newSession: any
  /** Set if the client or your server updates the session. */
  trigger?: "update"
  /** The request, without its body. */
  request: RequestView
}

/** The parameters of the `jwt` callback. */
export type JWTParams<Token extends JWT = JWT> = {
  /** At sign-in, the claims name, email, picture and sub; otherwise all claims. */
  token: Token
  /** Only at sign-in. */
  user: User | AdapterUser
  /** Only at sign-in. */
  account?: Account | null
  /** Only at sign-in with an OAuth or OpenID Connect provider. */
  profile?: Profile
  /** The reason of the call. Absent when a session is checked. */
  trigger?: "signIn" | "signUp" | "update"
  /** Whether the sign-in created the user. @deprecated use `trigger === "signUp"` */
  isNewUser?: boolean
  /** The data that the client sent with an update. Validate it before use. */
  session?: any
  /**
   * Whether the response can set cookies. If false, the claims that you return are used for this read, and then lost: do
   * not use a refresh token that is valid only once.
   */
  canSetCookies: boolean
  /** The request, without its body. */
  request: RequestView
  /** Only at sign-in, if it began with `flow`. */
  flow?: FlowData
}

/** Functions that control what happens at sign-in, sign-out and session checks. */
export interface CallbacksOptions<Claims = JWT, CallbackSession = Session | DefaultSession> {
  /**
   * Decides whether an authenticated person may sign in. Return true to continue, false to refuse (`AccessDenied`),
   * or a URL to redirect to instead.
   */
  signIn: (params: {
    user: User | AdapterUser
    account?: Account | null
    /** The full profile. Only with an OAuth or OpenID Connect provider. */
    profile?: Profile
    /** `verificationRequest` is true when a link is requested, and absent when the link is used. */
    email?: { verificationRequest?: boolean }
    credentials?: Record<string, CredentialInput>
    request: RequestView
    /** The data with which the sign-in began. */
    flow?: FlowData
  }) => Awaitable<boolean | string>
  /**
   * Returns the URL to redirect to after sign-in and sign-out. By default, only URLs on the same origin and on
   * `trustedOrigins` are allowed.
   */
  redirect: (params: { url: string; baseUrl: string; request: RequestView }) => Awaitable<string>
  /**
   * Returns the session that the client sees. By default, it has name, email, image and expires. Return null to hide the
   * session; to return nothing is an error.
   */
  session: (params: SessionParams) => Awaitable<CallbackSession>
  /** Returns the claims of the session token (strategy `jwt`). Return null to end the session. */
  jwt: (params: JWTParams) => Awaitable<Claims | null>
}

/** The message of the `session` event. */
export type SessionMessage<SessionData = Session, Claims = JWT> = {
  session: SessionData
  /** Only with strategy `jwt`. */
  token: Claims
}

/** Handlers for audit logging. Errors that they throw are logged and change nothing else. */
export interface EventCallbacks<Message = SessionMessage> {
  /** A user signed in. `isNewUser` is true if the sign-in created the user. */
  signIn: (message: {
    user: User
    account?: Account | null
    profile?: Profile | undefined
    isNewUser?: boolean | undefined
    request: RequestView
    flow?: FlowData
  }) => Awaitable<void>
  /** A user signed out. The message has the session that was deleted, or the claims of the token. */
  signOut: (
    message: ({ session: AdapterSession | null | undefined } | { token: JWT | null }) & {
      request: RequestView
    },
  ) => Awaitable<void>
  /** A user was created. */
  createUser: (message: { user: User; request: RequestView; flow?: FlowData }) => Awaitable<void>
  /** A user was updated, because the e-mail address was verified. */
  updateUser: (message: { user: User; request: RequestView }) => Awaitable<void>
  /** An account was linked to a user. */
  linkAccount: (message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
    request: RequestView
    flow?: FlowData
  }) => Awaitable<void>
  /** An account was unlinked from a user, by `auth.accounts.unlink`. */
  unlinkAccount: (message: { user: User | AdapterUser; account: Account }) => Awaitable<void>
  /** A user was deleted with everything that belongs to them, by `auth.users.delete`. */
  deleteUser: (message: { user: User | AdapterUser }) => Awaitable<void>
  /** A second factor was added to a user, by a function of `auth.factors`. */
  addFactor: (message: { user: User | AdapterUser; factor: FactorInfo }) => Awaitable<void>
  /** A second factor of a user was removed, by a function of `auth.factors`. */
  removeFactor: (message: { user: User | AdapterUser; factor: FactorInfo }) => Awaitable<void>
  /**
   * Something happened that matters for security. One handler receives all types of events, with what an audit log
   * keeps: docs/audit-log.md.
   */
  security: (event: SecurityEvent) => Awaitable<void>
  /** A session was checked. */
  session: (message: Message & { request: RequestView }) => Awaitable<void>
}

/** Where sessions are stored, and for how long. */
export interface SessionOptions<Strategy = "jwt" | "database"> {
  /**
   * Stores sessions in an encrypted cookie or in the database.
   *
   * @defaultValue `database` with an adapter, otherwise `jwt`
   */
  strategy: Strategy
  /** How long a session lasts after its last renewal, in seconds. @defaultValue 2592000 */
  maxAge: number
  /** The minimum interval between renewals of a session, in seconds; 0 for every access. @defaultValue 86400 */
  updateAge: number
  /** Generates the tokens of database sessions. @defaultValue 32 random bytes in hex */
  generateSessionToken: () => string
  /**
   * Other libraries whose sessions are read, and replaced with our own, so that nobody has to sign in again. Remove it
   * when the last of their sessions has expired. `@latchkey/core/authjs` exports `nextAuth4` for NextAuth.js 4.
   * @defaultValue none
   */
  accept: readonly AcceptedSessions[]
  /**
   * Keeps the tokens of OAuth and OpenID Connect providers in the session, for `getAccessToken`. Only with strategy
   * `jwt` and without an adapter, which would store them. @defaultValue false
   */
  providerTokens: boolean
  /**
   * Keeps the ID token of the sign-in in the session, so that `signOut({ federated: true })` can tell the provider
   * whose session to end. Only with strategy `jwt` and without an adapter, which would store it. @defaultValue false
   */
  keepIdToken: boolean
  /**
   * How long a session lasts after its last use, in seconds. Lowers `maxAge`, and `updateAge` so that sessions in use are
   * renewed in time. @defaultValue `maxAge`
   */
  idleTimeout: number
  /** How long a session lasts after its sign-in, however often it is used, in seconds. @defaultValue none */
  absoluteTimeout: number
  /**
   * Lets users choose at sign-in, with the field `rememberMe`, whether their session outlasts the browser.
   * @defaultValue false
   */
  rememberMe: boolean | Partial<RememberMeOptions>
  /** Records each session, so that `auth.sessions` lists, changes and revokes them. @defaultValue false */
  records: boolean | Partial<SessionRecordOptions>
}

/** The choice between sessions that end with the browser and sessions that outlast it. */
export interface RememberMeOptions {
  /**
   * Whether sessions outlast the browser if the sign-in does not say, and the checkbox of the built-in page is checked at
   * first. @defaultValue false
   */
  default: boolean
  /** How long a session that ends with the browser lasts after its last use, in seconds. @defaultValue 86400 */
  temporaryMaxAge: number
}

/** How sessions are recorded. */
export interface SessionRecordOptions {
  /** Where records are stored. @defaultValue the `adapter` */
  store: SessionRecordStore
  /** Returns a name for the device of a new session, such as "Firefox on Linux". @defaultValue none */
  deviceLabel: (request: RequestView) => Awaitable<string | undefined>
  /**
   * Whether the network of the client is recorded: an IPv4 address, or the first half of an IPv6 address. Loopback and
   * private addresses are not recorded.
   * @defaultValue false
   */
  network: boolean
  /** The minimum interval between two records of the last use of a session, in seconds. @defaultValue 300 */
  lastSeenInterval: number
  /** How long other processes may take to learn of a change of a session in a cookie, in seconds. @defaultValue 1 */
  pollInterval: number
  /**
   * How long sessions in cookies are accepted while the store cannot be reached, in seconds. After that, they cannot be
   * checked, and the response has status 503. @defaultValue 60
   */
  maxStaleness: number
}

/** An attempt that `rateLimit` can refuse. */
export interface RateLimitAttempt {
  /** A code counts as `email-link`. */
  action: "email-request" | "email-link" | "credentials" | "webauthn-options" | "webauthn"
  /** Id of the provider. */
  provider: string
  /** The e-mail address, if there is one. With credentials, the value of the field that names the account. */
  identifier?: string
  /** The address of the client, if the framework knows it. */
  clientAddress?: string
  request: Request
}

/**
 * The configuration of the library. Its `jwt` callback returns `Claims`, and its `session` callback returns
 * `CallbackSession`. `defineConfig` infers both.
 */
export interface AuthConfig<Claims = JWT, CallbackSession = Session | DefaultSession> {
  /** The providers to sign in with, in the order of their buttons. */
  providers: Provider[]
  /** The base path of the routes. @defaultValue `"/auth"` */
  basePath?: string
  /**
   * At least 32 random characters. To rotate it, pass an array: the first secret is used for everything new, and the
   * others are still accepted.
   */
  secret?: string | string[] | undefined
  /** The database for users, accounts, sessions and verification tokens. */
  adapter?: Adapter & AdapterCapabilities
  /**
   * Encrypts the tokens of providers in the accounts table, with their own key, which is derived from the `secret`.
   * Existing tokens are encrypted when `getAccessToken` next reads or refreshes them, or a sign-in replaces them.
   * @defaultValue false
   */
  encryptTokens?: boolean
  /** Where sessions are stored, and for how long. */
  session?: Partial<SessionOptions>
  /**
   * The store in which several processes agree which one refreshes the tokens of a provider.
   * @defaultValue the `adapter`, if it has leases
   */
  leases?: LeaseStore
  /** The second factors of users, such as authenticator apps. @defaultValue none */
  secondFactor?: SecondFactorOptions
  /**
   * Sends e-mails other than sign-in links: codes of `emailCodes`, and notices that a second factor or a passkey of a
   * user has changed. A provider such as `resend({ from })`, an object with your own `sendMessage`, or false for no
   * notices.
   * @defaultValue the first e-mail provider that has `sendMessage`
   */
  mailer?: Mailer | false
  /** How session tokens are encoded. */
  jwt?: Partial<JWTOptions>
  /** Functions that control what happens at sign-in, sign-out and session checks. */
  callbacks?: Partial<CallbacksOptions<Claims, CallbackSession>>
  /** Handlers for audit logging. Errors that they throw are logged and change nothing else. */
  events?: Partial<EventCallbacks>
  /** URLs of your own pages, which replace the built-in ones. */
  pages?: Partial<PagesOptions>
  /** The appearance of the built-in pages. */
  theme?: Theme
  /**
   * The languages of the built-in pages and e-mails, from `@latchkey/pages/languages/<tag>`. Visitors who prefer none
   * of them get the first one. @defaultValue English
   */
  languages?: readonly Language[]
  /**
   * Returns the tag of the language for a request, such as `"de"`. If it is undefined or not among `languages`, the
   * `Accept-Language` header of the browser decides, as by default.
   */
  language?: (request: Request) => Awaitable<string | undefined>
  /** Replaces single texts of the built-in pages and e-mails, in the first language. */
  messages?: Partial<Messages>
  /** Names and attributes of cookies. Attributes that you omit keep their defaults. */
  cookies?: Partial<CookiesOptions>
  /**
   * Whether cookies are sent over https only, with the `__Secure-` or `__Host-` prefix.
   *
   * @defaultValue true for requests over https
   */
  useSecureCookies?: boolean
  /**
   * Whether the name of the session cookie begins with `__Host-` over https, so that no sub-domain can set it.
   * `"migrate"` also reads the former name, and keeps everybody signed in while the name changes. @defaultValue false
   */
  useHostPrefix?: boolean | "migrate"
  /**
   * The hosts of your application, such as `["example.com", "*.example.com"]`; requests for others are refused. Or
   * true, only if your platform guarantees that the host of each request is your own.
   */
  trustHost?: boolean | string[]
  /**
   * The origins of a front end that is served elsewhere, such as `["https://app.example.com"]`: its scripts may sign users
   * in and out and read the session, and redirects may lead there. A host can start with `*.` for any sub-domain.
   */
  trustedOrigins?: string[]
  /** The URL, up to the base path, of another deployment that receives the callbacks of providers. */
  redirectProxyUrl?: string
  /**
   * The origins to which a redirect proxy forwards, such as `["https://*.preview.example.com"]`. A host can start with
   * `*.` for any sub-domain. In development, it also forwards to loopback addresses.
   */
  redirectProxyOrigins?: string[]
  /**
   * At least 32 random characters that a redirect proxy shares with the deployments that use it, so that they do not
   * need its `secret`. To rotate it, pass an array as for `secret`. @defaultValue the `secret`
   */
  redirectProxySecret?: string | string[] | undefined
  /**
   * When a provider account is linked to the signed-in user: only if the sign-in was started with `link: true`, or
   * whenever a user is signed in.
   * @defaultValue `"explicit"`
   */
  accountLinking?: "explicit" | "signed-in"
  /**
   * Limits on attempts to sign in, for each account and each network: changes of the defaults by action, or `false` for
   * no limits at all.
   */
  attemptLimits?: false | AttemptLimits
  /** Refuses further attempts to sign in. Return false to refuse an attempt before anything is sent or checked. */
  rateLimit?: (attempt: RateLimitAttempt) => Awaitable<boolean>
  /**
   * Validates the `flow` that a browser sent with a sign-in, and returns what to keep; undefined for nothing. It is
   * user input: check each member. Throw to refuse the sign-in. Without this function, only server code can pass
   * `flow`.
   */
  validateFlow?: (
    flow: unknown,
    context: { provider: string; request: RequestView },
  ) => Awaitable<FlowData | undefined>
  /** Logs sign-ins and adapter calls, without secrets. @defaultValue false */
  debug?: boolean
  /**
   * Shows on error pages what was expected and what was received, without secrets, to the browser in which the error
   * occurred. Also logs warnings about options that have no effect. Do not use it in production. `setEnvDefaults` sets
   * it to true if `NODE_ENV` is `development`, and to false if it is `production`; with false, the log warns if client
   * addresses are those of a proxy.
   * @defaultValue false
   */
  development?: boolean
  /** Your own logger. Levels that you omit are written to the console. */
  logger?: Partial<LoggerInstance>
  /** Features that may change in any version: the passkey providers of Auth.js, `providers/passkey` and `providers/webauthn`. */
  experimental?: { enableWebAuthn?: boolean }
  /** The symbol `skipCSRFCheck`, for authors of framework packages. */
  skipCSRFCheck?: typeof skipCSRFCheck
  /** The symbol `raw`, for authors of framework packages. */
  raw?: typeof raw
}
