/** The configuration that the library uses: complete and read-only. */

import type { ResolvedAttemptLimits } from "../actions/limits/limit-rules.ts"
import type { LeaseStore, SessionRecordStore } from "../adapters.ts"
import type { JWTOptions } from "../crypto/jwt.ts"
import type { AuthError } from "../errors.ts"
import type { CookieDefinitions } from "../http/cookies.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { LoggerInstance, PagesOptions, Theme } from "../types.ts"
import type {
  AuthConfig,
  CallbacksOptions,
  EventCallbacks,
  RememberMeOptions,
  SessionOptions,
  SessionRecordOptions,
} from "./auth-config.ts"
import type { SecondFactorOptions } from "./second-factor-options.ts"

/** How session tokens are encoded. */
interface ResolvedJWT {
  readonly secrets: readonly string[]
  readonly maxAge: number
  /** The application's own codec, if it has one, and the options that are passed to it. */
  readonly codec: Partial<JWTOptions> & Pick<JWTOptions, "secret">
}

/** The options of sessions, with all defaults. */
export interface ResolvedSession
  extends Readonly<
    Omit<
      SessionOptions,
      "generateSessionToken" | "idleTimeout" | "absoluteTimeout" | "rememberMe" | "records"
    >
  > {
  /** Of the application, if it has its own. */
  readonly generateSessionToken?: SessionOptions["generateSessionToken"]
  /** `maxAge` is at most that. */
  readonly idleTimeout: number | undefined
  readonly absoluteTimeout: number | undefined
  readonly rememberMe: RememberMeOptions | undefined
  readonly records: ResolvedSessionRecords | undefined
}

/** How sessions are recorded, with all defaults. */
export interface ResolvedSessionRecords
  extends Readonly<Omit<SessionRecordOptions, "store" | "deviceLabel">> {
  /** Undefined if there is none, which is a problem of the configuration. */
  readonly store: Partial<SessionRecordStore> | undefined
  readonly deviceLabel: SessionRecordOptions["deviceLabel"] | undefined
}

/** The options that decide how sessions are read and written. */
export interface SessionConfig {
  /** The hosts in `trustHost`; undefined if requests for all hosts are accepted. */
  readonly allowedHosts: readonly string[] | undefined
  /** The first one encrypts and hashes. All are accepted, so that a secret can be rotated. */
  readonly secrets: readonly string[]
  readonly session: ResolvedSession
  readonly secondFactor: SecondFactorOptions | undefined
  readonly jwt: ResolvedJWT
  readonly callbacks: Readonly<Pick<CallbacksOptions, "jwt" | "session">>
  /** The callbacks that the application defines; the others are defaults. */
  readonly customCallbacks: ReadonlySet<keyof CallbacksOptions>
  readonly events: Readonly<Partial<EventCallbacks>>
  readonly cookies: { readonly secure: CookieDefinitions; readonly plain: CookieDefinitions }
  /** If undefined, cookies are secure for requests over https. */
  readonly useSecureCookies: boolean | undefined
  readonly debug: boolean
  /** Whether error pages show the error report. */
  readonly development: boolean
  /** The logger of the application, which may lack levels. */
  readonly customLogger: Partial<LoggerInstance> | undefined
  /** The secrets in the configuration, which must not appear in logs and pages. */
  readonly configuredSecrets: readonly string[]
  /** The errors in the configuration. If there are any, every request is refused. */
  readonly problems: readonly AuthError[]
}

export interface ResolvedConfig extends SessionConfig {
  readonly adapter: AuthConfig["adapter"]
  readonly mailer: AuthConfig["mailer"]
  readonly language: AuthConfig["language"]
  readonly messages: AuthConfig["messages"]
  readonly rateLimit: AuthConfig["rateLimit"]
  readonly validateFlow: AuthConfig["validateFlow"]
  readonly basePath: string
  /** The origins of other web servers whose pages may sign users in and read the session. */
  readonly trustedOrigins: readonly string[]
  /** Scheme, host and port of `AUTH_URL`. */
  readonly authUrlOrigin: string | undefined
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  /** The errors of providers that were left out. `cause.provider` is the id, if it is known. */
  readonly providerProblems: readonly AuthError[]
  readonly encryptTokens: boolean
  /** Without leases, each process refreshes tokens for itself. */
  readonly leases: LeaseStore | undefined
  readonly callbacks: Readonly<CallbacksOptions>
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly theme: Readonly<Theme>
  readonly languages: readonly unknown[]
  /** Whether `development` is explicitly false, and not only omitted. */
  readonly production: boolean
  readonly skipCSRFCheck: boolean
  readonly redirectProxyOrigins: readonly string[]
  /** The secrets of the states that a redirect proxy reads. */
  readonly redirectProxySecrets: readonly string[]
  /** Whether every sign-in of a signed-in user links the account, and not only one with `link: true`. */
  readonly implicitLinking: boolean
  /** Whether someone can sign in to a user's account by its e-mail address. */
  readonly emailIdentifiesUser: boolean
  readonly attemptLimits: ResolvedAttemptLimits
}
