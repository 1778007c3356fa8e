/** The words of the domain. Those for cookies have a file of their own. */
export type { Cookie, CookieOption, CookieOptions, CookiesOptions } from "./cookie-types.ts"

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** What JSON can carry. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue | undefined }

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue | undefined }

/** A person, as a provider's `profile` callback or an adapter describes them. */
export interface User {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A session as it is given out by default. */
export interface DefaultSession {
  user?: User
  /** ISO 8601 in UTC. */
  expires: string
}

/** A session as the application and the client see it. May be augmented. */
export interface Session extends DefaultSession {}

/** Claims of a session token by default. */
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
}

/** Claims of a session token. May be augmented. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/**
 * The session that is given out where a `session` callback answers `Answer`. It never holds the session token, and
 * says in text when it expires.
 */
export type PublicSession<Returned> = DefaultSession extends Returned
  ? Session
  : Returned extends { sessionToken: unknown } | { expires: Date }
    ? {
        [Name in Exclude<keyof Returned, "sessionToken">]: Name extends "expires"
          ? string
          : Returned[Name]
      }
    : Returned

/** The session that a server gets, by the type of a configuration or of what `createAuth` made of it. */
export type InferSession<Source> = Source extends {
  session: (...parameters: never[]) => PromiseLike<{ session: infer Result }>
}
  ? PublicSession<NonNullable<Result>>
  : Source extends {
        callbacks?: { session?: (...parameters: never[]) => infer Returned } | undefined
      }
    ? PublicSession<Awaited<Returned>>
    : Session

/** The claims of session tokens, by the type of a configuration: what its `jwt` callback returns, but for null. */
export type InferToken<Config> = Config extends {
  callbacks?: { jwt?: (...parameters: never[]) => infer Claims } | undefined
}
  ? unknown extends Claims
    ? JWT
    : Exclude<Awaited<Claims>, null>
  : JWT

/** What becomes of a value on its way through JSON: a `Date` is text then. */
export type Jsonify<T> = T extends { toJSON: (...parameters: never[]) => infer Text }
  ? Text
  : T extends object
    ? { [Name in keyof T]: Jsonify<T[Name]> }
    : T

/** The session that a browser gets: that of {@link InferSession}, as JSON. */
export type InferClientSession<Source> = Jsonify<InferSession<Source>>

/** How a provider proves who somebody is. */
export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn"

/** A detail of what was authorised (RFC 9396). */
export interface AuthorizationDetails {
  readonly type: string
  readonly locations?: string[]
  readonly actions?: string[]
  readonly datatypes?: string[]
  readonly privileges?: string[]
  readonly identifier?: string
  readonly [parameter: string]: JsonValue | undefined
}

/** What a token endpoint answered (RFC 6749 section 5.1), and when the access token expires. */
export interface TokenSet {
  access_token?: string
  refresh_token?: string
  id_token?: string
  scope?: string
  /** In lower case, because the value is case-insensitive. */
  token_type?: Lowercase<string>
  /** Lifetime of the access token in seconds, as answered. */
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
   * Id of the account at the provider: from the profile callback (oauth, oidc), the address (email), the id
   * that `authorize` returned (credentials).
   */
  providerAccountId: string
  type: ProviderType
  /** Id of the user that owns the account. */
  userId?: string
}

/** What a provider says of a person: the standard claims of OpenID Connect Core 5.1. */
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

/** A field of a credentials form: any attribute of an HTML `input`, and a label. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string
  required?: boolean
  autocomplete?: string
  [attribute: string]: string | number | boolean | undefined
}

/** Appearance of the built-in pages. */
export interface Theme {
  /** @defaultValue `"auto"`, what the visitor's system says */
  colorScheme?: "auto" | "dark" | "light"
  /** URL of an image, shown above the card. */
  logo?: string
  /** CSS colour of the main buttons. */
  brandColor?: string
  /** CSS colour of the text on the main buttons. Without `brandColor`, only hex colours are used. */
  buttonText?: string
}

/** URLs of pages that replace the built-in ones. */
export interface PagesOptions {
  /** Shows the ways to sign in; gets `error`, `code` and `callbackUrl` in its query. */
  signIn: string
  /** Asks whether to sign out. */
  signOut: string
  /** Says that something failed; gets `error` in its query. */
  error: string
  /** Says that a link was sent by e-mail. */
  verifyRequest: string
  /** Where a new user goes after the first sign-in. There is none by default. */
  newUser: string
}

/** Where log lines go. `code` is the type of an error, a warning code, or what is being done. */
export interface LoggerInstance {
  /** Faults, and sign-ins that failed; `code` is the type of the error. */
  error: (code: string, ...message: unknown[]) => void
  /** What is worth a look. */
  warn: (code: string, ...message: unknown[]) => void
  /** What is being done; called whether or not `debug` is on. */
  debug: (code: string, ...message: unknown[]) => void
}

/** Warnings that the library can give. */
export type WarningCode =
  | "IgnoredOption"
  | "IncompleteProvider"
  | "UnknownOption"
  | "authorization-parameter-dropped"
  | "csrf-disabled"
  | "debug-enabled"
  | "env-url-basepath-mismatch"
  | "env-url-basepath-redundant"
  | "experimental-webauthn"

/** A provider as `GET providers` lists it. */
export interface PublicProvider {
  id: string
  name: string
  type: ProviderType
  signinUrl: string
  callbackUrl: string
}

/** The actions of the library, which are the first segment of a path under the base path. */
export type AuthAction =
  | "callback"
  | "csrf"
  | "error"
  | "providers"
  | "session"
  | "signin"
  | "signout"
  | "verify-request"
  | "webauthn-options"
