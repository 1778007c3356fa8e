/** The configuration as the library uses it: complete, read-only, compiled once. */
import type { Adapter } from "../adapters.ts"
import type { JWTOptions } from "../crypto/jwt.ts"
import type { AuthError } from "../errors.ts"
import type { CookieDefinitions } from "../http/cookies.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { LoggerInstance, PagesOptions, Theme } from "../types.ts"
import type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./auth-config.ts"
import type { ConfigWarning } from "./option-check.ts"

/** Session tokens: the secret and lifetime in effect, and the application's own codec, if it has one. */
export interface ResolvedJWT {
  readonly secrets: readonly string[]
  readonly maxAge: number
  readonly encode: JWTOptions["encode"] | undefined
  readonly decode: JWTOptions["decode"] | undefined
  /** What the application wrote, which its own codec is given. */
  readonly configuredOptions: Partial<JWTOptions>
}

export interface ResolvedConfig {
  readonly basePath: string
  readonly secrets: readonly string[]
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly adapter: Adapter | undefined
  /** What of the optional methods the adapter has. */
  readonly adapterSupports: {
    readonly createUserWithAccount: boolean
    readonly deleteUser: boolean
    readonly unlinkAccount: boolean
    readonly updateAccount: boolean
    /** Keep a token that is used once: by one of many callers at once. */
    readonly useVerificationToken: boolean
  }
  readonly session: Readonly<SessionOptions>
  readonly jwt: ResolvedJWT
  readonly callbacks: Readonly<CallbacksOptions>
  /** The application has a `signIn` callback of its own. */
  readonly hasSignInCallback: boolean
  /** The application has a `jwt` callback of its own. */
  readonly hasJwtCallback: boolean
  /** The application has a `session` callback of its own. */
  readonly hasSessionCallback: boolean
  readonly events: Readonly<Partial<EventCallbacks>>
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly cookies: { readonly secure: CookieDefinitions; readonly plain: CookieDefinitions }
  /** Undefined follows the scheme of the request. */
  readonly useSecureCookies: boolean | undefined
  readonly theme: Readonly<Theme>
  readonly debug: boolean
  /** Pages explain failures to the developer. */
  readonly development: boolean
  /** The logger of the application, which may lack levels. */
  readonly customLogger: Partial<LoggerInstance> | undefined
  /** What the configuration holds that nobody may read. */
  readonly configuredSecrets: readonly string[]
  readonly skipCSRFCheck: boolean
  readonly redirectProxyOrigins: readonly string[]
  /** Whether an attempt that nobody asked to link joins the user who is signed in. */
  readonly implicitLinking: boolean
  /** Whether an e-mail address lets somebody into a user's account. */
  readonly emailIdentifiesUser: boolean
  readonly rateLimit: AuthConfig["rateLimit"]
  /** What is wrong with the configuration: with anything in it, every request is refused. */
  readonly problems: readonly AuthError[]
  /** What is only worth a word: it is logged, and breaks nothing. */
  readonly warnings: readonly ConfigWarning[]
}
