/**
 * The errors of the library: the base classes with their messages, and a class for each `type`, which has a page in
 * `docs/errors`.
 */

import { isError, isObject } from "../objects.ts"
import { composedErrors } from "./composed-errors.ts"
import type * as errorClasses from "./error-classes.ts"
import { isInstance } from "./error-copies.ts"
import { getErrorDocs } from "./error-docs.ts"
import { getErrorStatus } from "./error-status.ts"

/** The stable names of all errors: the names of the classes in this module. */
export type ErrorType = Exclude<
  keyof typeof errorClasses | "LastFactor",
  "AuthError" | "SignInError"
>

/** For failures of the application's own code, a database or a provider: the message has their own error. */
const debugHint = "With `debug: true`, the log also has the stack of the error."

/** The details of an error: what was expected, what was received, how to fix it, and anything else to log. */
export interface ErrorDetails extends Record<string, unknown> {
  /** The failure, as a sentence. */
  summary?: string
  /** The expected value or event. */
  expected?: string
  /** The actual value or event, described without secrets. */
  received?: string
  /** How to fix the error. */
  hint?: string
  /** The original error (standard `Error` option); also reachable as `cause.err`. */
  cause?: unknown
}

/** The details of an error. `err` is the original error, if there is one. */
export interface ErrorCause extends Record<string, unknown> {
  err?: Error
}

/**
 * Base class of all errors of the library.
 *
 * A message that is composed of details says what was expected, what was received and how to fix it. A message that
 * is a string stays as it is, followed by such details.
 */
export class AuthError extends Error {
  /** Whether a value is an error of this class, here or in another copy of the library. */
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance
  static type: ErrorType | "AuthError" = "AuthError"
  /** The stable name of the error class. */
  readonly type: ErrorType | "AuthError"
  /** How to fix most errors of the type; empty for the base classes. */
  static hint: string = ""
  static kind: "error" | "signIn" = "error"
  /** The page that shows the error: the sign-in page (`signIn`) or the error page (`error`). */
  readonly kind: "error" | "signIn"
  /** The HTTP status of a response to the error, which Express and others send unless you handle the error. */
  readonly status: number
  /** The details of the error. `err` is the original error. */
  declare readonly cause?: ErrorCause

  /**
   * @param message the message, the original error, or details from which a message is composed
   * @param details more details. An `Error` becomes `cause.err`.
   */
  constructor(message?: string | Error | ErrorDetails, details?: Error | ErrorDetails) {
    super(createMessage(message, details, new.target.hint))
    if (typeof message === "object" && !isError(message)) composedErrors.add(this)
    const cause: ErrorCause = {}
    for (const part of [message, details]) addDetails(cause, part)
    this.name = new.target.name
    this.type = new.target.type
    this.kind = new.target.kind
    if (Object.keys(cause).length > 0) this.cause = cause
    // Frameworks print the cause of an error as text. The original error may contain secrets, so it is not a part of it.
    Object.defineProperty(cause, "toString", { value: () => `More: ${this.docs}` })
    this.status = getErrorStatus(this.type, this.kind, cause)
  }

  /** How to fix the error: its own hint, or the hint of its type, which may be empty. */
  get hint(): string {
    const { hint } = this.cause ?? {}
    return typeof hint === "string" ? hint : (this.constructor as typeof AuthError).hint
  }

  /** The headers of a response to the error, which tell how long to wait, if that is known. */
  get headers(): Record<string, string> {
    const { retryAfter } = this.cause ?? {}
    return typeof retryAfter === "number" ? { "retry-after": String(retryAfter) } : {}
  }

  /** How to read the page of the documentation: a command that prints it. */
  get docs(): string {
    return getErrorDocs(this.type)
  }
}

type MessagePart = Error | ErrorDetails | undefined

/**
 * Composes the message of an error.
 *
 * @param hint the hint if the details have neither one nor a summary. It is not added to a message that is a string.
 */
function createMessage(first: string | MessagePart, second: MessagePart, hint: string): string {
  if (isError(first)) return first.message
  const details = isError(second) ? {} : second
  if (typeof first === "object")
    return formatDetails({ ...(first.summary ? {} : { hint }), ...first, ...details })
  return [first, formatDetails({ ...details })].filter(Boolean).join(" ")
}

function formatDetails({ summary, expected, received, hint }: ErrorDetails): string {
  const facts = [expected && `Expected ${expected}.`, received && `Received: ${received}.`]
  return [summary, ...facts, hint].filter(Boolean).join(" ")
}

function addDetails(cause: ErrorCause, part: unknown): void {
  if (isError(part)) {
    if (part instanceof AuthError) Object.assign(cause, { ...part.cause, ...cause })
    cause.err = part
  } else if (isObject(part)) {
    const { cause: innerCause, summary: _, ...rest } = part
    Object.assign(cause, rest)
    if (isError(innerCause)) addDetails(cause, innerCause)
    else if (isObject(innerCause)) Object.assign(cause, innerCause)
    // The thrown value is not an error.
    else if (innerCause !== undefined) cause.err = new Error(String(innerCause))
  }
}

/** The base class of errors that the sign-in page shows. */
export class SignInError extends AuthError {
  static override kind = "signIn" as const
}

// The configuration. They refuse every request, or only the provider that has them.

/** More than one WebAuthn provider uses conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const
  static override hint = "Set `enableConditionalUI: false` for all passkey providers but one."
}

/** Two providers have the same id, and thus the same callback URL. */
export class DuplicateProvider extends AuthError {
  static override type = "DuplicateProvider" as const
  static override hint = "Set another `id` for one of them."
}

/** A feature is used that is not enabled under `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled" as const
  static override hint = "Enable the feature under `experimental`, or remove what uses it."
}

/** A provider lacks its issuer or an endpoint, or has one that must not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const
  static override hint = "Set the `issuer` of the provider, or the https URLs of its endpoints."
}

/** The value of an option is invalid. */
export class InvalidOption extends AuthError {
  static override type = "InvalidOption" as const
  static override hint = "Compare the option with the configuration reference, or leave it out."
}

/** The configuration requires a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const
  static override hint = "Set `adapter`, for example to SqlAdapter of @latchkey/sql."
}

/** The adapter lacks methods that the configuration requires. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const
  static override hint = "Use an adapter that has them, or remove the options that require them."
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const
  static override hint =
    "Set the `authorize` of the provider to a function that returns a user, or null."
}

/** A provider has no client id. */
export class MissingClientId extends AuthError {
  static override type = "MissingClientId" as const
  static override hint =
    "Set the `clientId` of the provider to the value that it gave your application."
}

/** The configuration has no secret. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret" as const
  static override hint =
    "Run `npx @latchkey/cli secret --write`, which adds AUTH_SECRET to `.env`, or set `secret`."
}

/** A WebAuthn form has no field for the autofill of passkeys. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const
  static override hint =
    'Set `autocomplete: "username webauthn"` on a field, or set `enableConditionalUI: false`.'
}

/** The configured providers cannot be used with the session strategy. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const
  static override hint = "Choose another `session.strategy`."
}

/** `trustHost` is not set, so the host of a request is not trusted. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const
  static override hint = "Set AUTH_URL, or `trustHost: true` if your platform guarantees the host."
}

/** A secret can be guessed: it is short, repetitive, or the placeholder of an example. */
export class WeakSecret extends AuthError {
  static override type = "WeakSecret" as const
  static override hint = "Replace it by the output of `npx @latchkey/cli secret`."
}

// Requests, and the session checks in them.

/** A method of the database adapter failed. The original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const
  static override hint = "Check that the database is reachable, and that its tables are up to date."
}

/** The provider is unknown or invalid, or does not support the request. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider" as const
  static override hint = "Compare the id in the URL with the configured `providers`."
}

/** The request is malformed or too large. */
export class InvalidRequest extends AuthError {
  static override type = "InvalidRequest" as const
  static override hint = "Send a form or a JSON object of at most 64 KiB."
  /** The HTTP status of the response: 413 for a body over the limit, otherwise 400. */
  override readonly status: 400 | 413

  constructor(status: 400 | 413, details: ErrorDetails) {
    super(details)
    this.status = status
  }
}

/** The session token could not be read, or a callback failed during the session check. */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError" as const
  static override hint: string = debugHint
}

/** A form was posted without a valid CSRF token. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF" as const
  static override hint =
    "Reload the page. In your own form, send the `csrfToken` of GET /auth/csrf."
}

/** The user of a session authenticated too long ago for what the session requests. */
export class SessionNotFresh extends AuthError {
  static override type = "SessionNotFresh" as const
  static override hint = "Send the user to sign in again, and repeat the request afterwards."
}

/** A database session could not be checked. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const
  static override hint: string = debugHint
}

/** The session could not be ended. It is still valid, and so is its cookie. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const
  static override hint = "Sign out again once the database is available."
}

/** There were too many attempts: `attemptLimits` or the application's `rateLimit` refused another one. */
export class TooManyRequests extends SignInError {
  static override type = "TooManyRequests" as const
  static override hint =
    "Wait and try again, or allow more attempts in `attemptLimits` or `rateLimit`."

  /** How many seconds to wait, if known: the detail of this name. */
  get retryAfter(): number | undefined {
    const seconds = this.cause?.["retryAfter"]
    return typeof seconds === "number" ? seconds : undefined
  }
}

/** No action of the library has this path and method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
  static override hint = "Compare the path with `basePath`. Use POST to sign in and out."
}

/** The page of `pages.error` redirects to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const
  static override hint =
    "Allow everyone to open the page of `pages.error`: it must not require a sign-in."
}

/** A configuration has several errors, which are in `problems`. */
export class InvalidConfiguration extends AuthError {
  static override type = "InvalidConfiguration" as const
  static override hint = "Fix all of them: every request is refused until then."
  readonly problems: readonly AuthError[]

  constructor(problems: readonly AuthError[]) {
    const list = problems.map(({ type, message }, index) => `${index + 1}. ${type}: ${message}`)
    super({ summary: `The configuration has ${problems.length} problems. ${list.join(" ")}` })
    this.problems = problems
  }
}

// Sign-ins, sessions and accounts.

/** The `signIn` callback refused the sign-in, or threw. If it threw, `message` is the original message. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied" as const
  static override hint =
    "Check the return value of the `signIn` callback. Return true to allow the sign-in."
}

/** The user has no usable access token of a provider. */
export class AccessTokenError extends AuthError {
  static override type = "AccessTokenError" as const
  static override hint: string = debugHint

  /** Whether only another sign-in with the provider helps. Otherwise a later attempt may succeed. */
  get needsSignIn(): boolean {
    return this.cause?.["needsSignIn"] === true
  }
}

/** A passkey, or its e-mail address, belongs to another user than the signed-in one. */
export class AccountNotLinked extends SignInError {
  static override type = "AccountNotLinked" as const
  static override hint = "Sign in with your existing method, then add the passkey while signed in."
}

/** A callback route failed in the application or the library. The original error is `cause.err`. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError" as const
  static override hint: string = debugHint
}

/**
 * Thrown from `authorize` for invalid credentials. Subclasses set `code`, which appears in the URL of the sign-in page
 * and must not reveal which credential was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type = "CredentialsSignin" as const
  static override hint = "The credentials are wrong, or `authorize` did not find the user."
  /** The query parameter `code` of the sign-in page. */
  code: string = "credentials"
}

/** The e-mail with the sign-in link could not be prepared or sent. */
export class EmailSignInError extends SignInError {
  static override type = "EmailSignInError" as const
  static override hint =
    "Check the address, user and password of the mail server, or the key of the mail service."
}

/** A callback URL is invalid. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const
  static override hint = "Use a path on this site, or a URL that the `redirect` callback allows."
}

/** A response belongs to no pending sign-in of this browser, or is malformed. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck" as const
  static override hint = "Start the sign-in again on the host name of the callback URL."

  /** Whether the sign-in has ended: it took too long, was already completed, or began in another browser. */
  get isExpired(): boolean {
    return this.cause?.["isExpired"] === true
  }
}

/** The submitted value is not a single plain e-mail address. */
export class InvalidEmail extends SignInError {
  static override type = "InvalidEmail" as const
  static override hint = "Enter a single plain address."
}

/** A provider account, or its e-mail address, belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = "OAuthAccountNotLinked" as const
  static override hint = "Sign in with your existing method, then add this account while signed in."
}

/** Error codes for a user who declined: that of RFC 6749, and those of LinkedIn and others. */
const refusals: ReadonlySet<string> = new Set([
  "access_denied",
  "user_denied",
  "user_cancelled_login",
  "user_cancelled_authorize",
])

/** The provider returned an error, or its response is invalid. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError" as const
  static override hint =
    "Compare the client id, secret, redirect URI and scopes with the settings at the provider."

  /** Whether the user declined, or the provider refused the user (RFC 6749 section 4.1.2.1): nothing has failed. */
  get isDenied(): boolean {
    const error = this.cause?.["error"]
    return typeof error === "string" && refusals.has(error.toLowerCase())
  }
}

/** The `profile` function of a provider failed, or returned no valid id. */
export class OAuthProfileParseError extends AuthError {
  static override type = "OAuthProfileParseError" as const
  static override hint = "Return an object from `profile` whose `id` is a string or a number."
}

/** A sign-in with a provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = "OAuthSignInError" as const
  static override hint =
    "Check that this server can reach the `issuer`, and that its metadata is valid."
}

/** Why the code of an e-mail was refused. */
export type CodeProblem =
  /** Another code is right. */
  | "incorrect"
  /** No code was submitted for a link that needs one. */
  | "missing"
  /** The code has expired, was used, or was guessed too often: only another message helps. */
  | "invalid"

/** An e-mail link or its code is wrong, was used already, has expired, or belongs to another address. */
export class Verification extends AuthError {
  static override type = "Verification" as const
  static override hint = "Request a new link, and use it once."

  /** Why the code of an e-mail was refused: the detail of this name. */
  get codeProblem(): CodeProblem | undefined {
    return this.cause?.["codeProblem"] as CodeProblem | undefined // set by the flow of codes
  }

  /** How many attempts there are after an incorrect code: the detail of this name. */
  get attemptsLeft(): number | undefined {
    return this.cause?.["attemptsLeft"] as number | undefined // set by the flow of codes
  }
}

/** A passkey could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError" as const
  static override hint =
    "Compare the relying party with the URL of the page, or use another passkey."
}

/** An event handler threw. The error is logged and does not change the response. */
export class EventError extends AuthError {
  static override type = "EventError" as const
  static override hint = "Catch errors in the event handler."
}

/** A request to end sessions, which must come from a provider, is not valid. No session has ended. */
export class InvalidLogoutToken extends AuthError {
  static override type = "InvalidLogoutToken" as const
  static override hint = "Compare the client id and the `issuer` with the settings at the provider."
}

/** An encrypted session needs more than 12 KB of cookies, which many servers refuse. It is not stored. */
export class SessionTooLarge extends AuthError {
  static override type = "SessionTooLarge" as const
  static override hint =
    "Return less from the `jwt` callback, such as ids instead of lists, or store sessions in a database."
}

/** The account is the last one with which the user can sign in, so it was not unlinked. */
export class LastAccount extends AuthError {
  static override type = "LastAccount" as const
  static override hint =
    "Let the user add another account or prove their address first, or delete the user."
}
