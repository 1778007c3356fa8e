/** The public types. */
export type { CredentialInput, Theme } from "@latchkey/pages"

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** A value that JSON can represent. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue | undefined }

/** The default members of a user. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A user, as a provider's `profile` callback or an adapter returns them. You can augment it. */
export interface User extends DefaultUser {}

/** A session without a `session` callback. */
export interface DefaultSession {
  user?: User
  /** ISO 8601 in UTC. */
  expires: string
}

/** A session as the application and the client receive it. You can augment it. */
export interface Session extends DefaultSession {}

/** The default claims of a session token. */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  sub?: string
  /** Issued at, in seconds. */
  iat?: number
  /** Expires at, in seconds. */
  exp?: number
  jti?: string
  /** When the session began, in seconds. A renewal keeps it, so that a sign-out ends all copies in the browser. */
  signedInAt?: number
}

/** The claims of a session token. You can augment them. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/**
 * The session that applications receive if the `session` callback returns `Returned`. It never contains the session
 * token, and `expires` is a string.
 */
export type PublicSession<Returned> = DefaultSession extends Returned
  ? Session
  : Returned extends { sessionToken: unknown } | { expires: Date }
    ? {
        [Name in keyof Returned as Exclude<Name, "sessionToken">]: Name extends "expires"
          ? string
          : Returned[Name]
      }
    : Returned

/**
 * The session that applications receive with strategy `Strategy`. Without a database, `user` is not a stored user,
 * although the `session` callback of an `AuthConfig` declares it as one.
 */
export type StrategySession<Returned, Strategy> = PublicSession<
  [Strategy] extends ["jwt"]
    ? Returned extends { user: infer Stored extends { id: string; emailVerified: Date | null } }
      ? Omit<Returned, "user"> & {
          user: Omit<Stored, "id" | "emailVerified"> &
            Pick<SessionUser, "id" & keyof SessionUser> &
            Partial<Pick<Stored, "emailVerified">>
        }
      : Returned
    : Returned
>

/** The user of a session: without a database, the id is certain only if the application declares it. */
type SessionUser = NonNullable<Session["user"]>

/** The strategy of a configuration, if its type determines that it is `jwt`. */
type StrategyOf<Config> = "adapter" extends keyof Config
  ? Config extends { session: { strategy: infer Strategy } }
    ? Strategy
    : unknown
  : "jwt"

/** The session on the server, inferred from the type of a configuration or of the result of `createAuth`. */
export type InferSession<Source> = Source extends {
  getSession: (...parameters: never[]) => PromiseLike<{ session: infer Result }>
}
  ? PublicSession<NonNullable<Result>>
  : Source extends {
        callbacks?: { session?: (...parameters: never[]) => infer Returned } | undefined
      }
    ? StrategySession<Awaited<Returned>, StrategyOf<Source>>
    : Session

/**
 * The claims of session tokens, inferred from the type of a configuration: what its `jwt` callback returns, without
 * null.
 */
export type InferToken<Config> = Config extends {
  callbacks?: { jwt?: (...parameters: never[]) => infer Claims } | undefined
}
  ? unknown extends Claims
    ? JWT
    : Exclude<Awaited<Claims>, null>
  : JWT

/** The type of a value after `JSON.stringify` and `JSON.parse`: a `Date` becomes a string. */
export type Jsonify<T> = T extends { toJSON: (...parameters: never[]) => infer Text }
  ? Text
  : T extends object
    ? { [Name in keyof T]: Jsonify<T[Name]> }
    : T

/** The session in the browser: {@link InferSession} as JSON. */
export type InferClientSession<Source> = Jsonify<InferSession<Source>>

/** The protocol that a provider uses to authenticate users. */
export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn"

/** A request as callbacks and events see it: copies of its values. Changing them has no effect elsewhere. */
export interface RequestView {
  /** With the origin that the browser sees. */
  readonly url: URL
  /** With the cookies, which contain the session: do not log them. */
  readonly headers: Headers
  /** The address of the client, if the framework knows it. */
  readonly clientAddress: string | undefined
}

/** Data of the application that travels through a sign-in. You can augment it with the members that yours has. */
export interface FlowData extends JsonObject {}

/** An element of `authorization_details` (RFC 9396). */
export interface AuthorizationDetails {
  readonly type: string
  readonly locations?: string[]
  readonly actions?: string[]
  readonly datatypes?: string[]
  readonly privileges?: string[]
  readonly identifier?: string
  readonly [parameter: string]: JsonValue | undefined
}

/** The response of a token endpoint (RFC 6749 section 5.1), and when the access token expires. */
export interface TokenSet {
  access_token?: string
  refresh_token?: string
  id_token?: string
  scope?: string
  /** In lower case, because the value is case-insensitive. */
  token_type?: Lowercase<string>
  /** Lifetime of the access token in seconds, from the response. */
  expires_in?: number
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number
  authorization_details?: AuthorizationDetails[]
  [parameter: string]: JsonValue | undefined
}

/** An account at a provider, with its tokens. */
export interface Account extends TokenSet {
  /** Id of the provider. */
  provider: string
  /**
   * Id of the account at the provider: from the `profile` callback (oauth, oidc), the address (email), or the id that
   * `authorize` returned (credentials).
   */
  providerAccountId: string
  type: ProviderType
  /** Id of the user that owns the account. */
  userId?: string
}

/** A passkey. */
export interface Authenticator {
  userId?: string
  providerAccountId: string
  counter: number
  credentialBackedUp: boolean
  /** Base64. */
  credentialID: string
  /** Base64. */
  credentialPublicKey: string
  /** Joined by commas. */
  transports?: string | null
  credentialDeviceType: string
}

/** The user's claims at a provider: the standard claims of OpenID Connect Core 5.1, and others. */
export interface Profile {
  sub?: string | null
  id?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  picture?: any
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
  address?: {
    country?: string | null
    formatted?: string | null
    locality?: string | null
    postal_code?: string | null
    region?: string | null
    street_address?: string | null
  } | null
  [claim: string]: unknown
}

/** URLs of pages that replace the built-in ones. */
export interface PagesOptions {
  /** Lists the providers. The query contains `error`, `code` and `callbackUrl`. */
  signIn: string
  /** Creates an account. The sign-in page links to it. There is none by default. */
  signUp: string
  /** Asks the user to confirm the sign-out. */
  signOut: string
  /** Reports an error. The query contains `error`. */
  error: string
  /** Tells the user that a link was sent by e-mail. */
  verifyRequest: string
  /** Welcomes new users after their first sign-in. There is none by default. */
  newUser: string
}

/** Attributes of a cookie (RFC 6265bis). */
export interface CookieOptions {
  /** Lifetime in seconds. */
  maxAge?: number
  /** When the cookie expires. `maxAge` takes precedence. */
  expires?: Date
  /** The domain whose sub-domains receive the cookie, too. @defaultValue the host alone */
  domain?: string
  /** The path below which browsers send the cookie. */
  path?: string
  /** Whether scripts of the page cannot read the cookie. */
  httpOnly?: boolean
  /** Whether browsers send the cookie over https only. */
  secure?: boolean
  /** Whether each site that embeds yours has a cookie of its own (CHIPS). */
  partitioned?: boolean
  /** How long browsers keep the cookie if there are too many. */
  priority?: "low" | "medium" | "high"
  /** Whether browsers send the cookie with requests from other sites. True means `"strict"`. */
  sameSite?: boolean | "lax" | "strict" | "none"
  /** Replaces the percent-encoding of the value. */
  encode?: (value: string) => string
}

/** Name and attributes of one of the library's cookies. */
export interface CookieOption {
  name: string
  options: CookieOptions
}

/** The cookies of the library. */
export interface CookiesOptions {
  /** The session: encrypted claims, or the token of a stored session. */
  sessionToken: Partial<CookieOption>
  /** The URL to return to after the sign-in. */
  callbackUrl: Partial<CookieOption>
  /** The CSRF token, and hashes that verify it. */
  csrfToken: Partial<CookieOption>
  /** Not set: the transaction cookies, named after `state`, contain the code verifier. */
  pkceCodeVerifier: Partial<CookieOption>
  /** The prefix of the transaction cookies: one encrypted cookie per pending sign-in, whose key follows the prefix. */
  state: Partial<CookieOption>
  /** Not set: see `pkceCodeVerifier`. */
  nonce: Partial<CookieOption>
  /** The prefix of the challenge cookies: one encrypted cookie per passkey ceremony, whose key follows the prefix. */
  webauthnChallenge: Partial<CookieOption>
  /** The prefix of the cookies that mark the browser that requested an e-mail link: one per link. */
  emailRequest: Partial<CookieOption>
  /** The encrypted sessions that have ended in this browser, as keyed hashes: a late response cannot restore them. */
  signedOut: Partial<CookieOption>
  /** The accounts that the browser has signed in to, as keyed hashes: nobody else can use up its attempts. */
  knownBrowser: Partial<CookieOption>
  /** The id of the provider of the latest sign-in in this browser, which the sign-in page shows first. */
  lastProvider: Partial<CookieOption>
}

/** A cookie to set. */
export interface Cookie {
  name: string
  value: string
  options: CookieOptions
}

/** A logger. `code` is the type of an error, the code of a warning, or the name of a step. */
export interface LoggerInstance {
  /**
   * Receives errors and failed sign-ins. `code` is the type of the error. Its message follows, and then an object with
   * details, whose `headline` has the innermost cause and the fix in one line.
   */
  error: (code: string, ...message: unknown[]) => void
  /** Receives warnings, for example about the configuration. */
  warn: (code: string, ...message: unknown[]) => void
  /** Receives steps of sign-ins, and calls of the adapter. Called only if the option `debug` is true. */
  debug: (code: string, ...message: unknown[]) => void
}

/** Codes of the warnings that the library logs. */
export type WarningCode =
  | "IgnoredOption"
  | "IncompleteProvider"
  | "UnknownOption"
  | "attempt-limits"
  | "auth-url-port"
  | "authorization-denied"
  | "authorization-parameter-dropped"
  | "color-contrast"
  | "csrf-disabled"
  | "debug-enabled"
  | "email-link-host"
  | "env-url-basepath-mismatch"
  | "env-url-basepath-redundant"
  | "experimental-webauthn"
  | "insecure-origin"
  | "mount-mismatch"
  | "node-env"
  | "picture-dropped"
  | "provider-sign-out"
  | "sign-in-response-ignored"

/** A provider as `GET providers` lists it. */
export interface PublicProvider {
  id: string
  name: string
  type: ProviderType
  signinUrl: string
  callbackUrl: string
}

/** The actions of the library: the first path segment after the base path. */
export type AuthAction =
  | "callback"
  | "csrf"
  | "error"
  | "logout"
  | "providers"
  | "session"
  | "signin"
  | "signout"
  | "verify-request"
  | "webauthn-options"
