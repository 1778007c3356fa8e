/**
 * The errors of the library. Each has a stable `type`; nothing else of an error is meant to be parsed.
 * `docs/errors.md` has a heading for every type.
 */

/** The stable names of all errors. */
export type ErrorType =
  | "AccessDenied"
  | "AccountNotLinked"
  | "AdapterError"
  | "CallbackRouteError"
  | "CredentialsSignin"
  | "DuplicateConditionalUI"
  | "EmailSignInError"
  | "ErrorPageLoop"
  | "EventError"
  | "ExperimentalFeatureNotEnabled"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidEmail"
  | "InvalidEndpoints"
  | "InvalidProvider"
  | "InvalidRequest"
  | "JWTSessionError"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingCSRF"
  | "MissingSecret"
  | "MissingWebAuthnAutocomplete"
  | "OAuthAccountNotLinked"
  | "OAuthCallbackError"
  | "OAuthProfileParseError"
  | "OAuthSignInError"
  | "SessionTokenError"
  | "SignOutError"
  | "TooManyRequests"
  | "UnknownAction"
  | "UnsupportedStrategy"
  | "UntrustedHost"
  | "Verification"
  | "WeakSecret"
  | "WebAuthnVerificationError"

/** What an error knows of its circumstances. `err` is the original error, where there was one. */
export interface ErrorCause extends Record<string, unknown> {
  err?: Error
}

/** Facts given to an error: what was expected, what to change, and anything else worth logging. */
export interface ErrorFacts extends Record<string, unknown> {
  /** What should have been there. */
  expected?: string
  /** What to change. */
  hint?: string
  /** The original error (standard `Error` option); also reachable as `cause.err`. */
  cause?: unknown
}

/** Base class of all errors of the library. */
export class AuthError extends Error {
  /** Stable name of the class of failure. */
  static type: ErrorType | "AuthError" = "AuthError"
  /** Stable name of the class of failure. */
  readonly type: ErrorType | "AuthError"
  /** Which page tells the person: the sign-in page (`signIn`) or the error page (`error`). */
  static kind: "error" | "signIn" = "error"
  /** Which page tells the person: the sign-in page (`signIn`) or the error page (`error`). */
  readonly kind: "error" | "signIn"
  /** The facts of the failure; `err` is the original error. */
  declare readonly cause?: ErrorCause

  /**
   * @param message what went wrong, or the original error, or facts from which a message is composed
   * @param facts more facts; an `Error` here becomes `cause.err`
   */
  constructor(message?: string | Error | ErrorFacts, facts?: Error | ErrorFacts) {
    const cause = causeOf(message, facts)
    super(typeof message === "string" ? message : composed(message))
    const own = this.constructor as typeof AuthError // `this` is an instance of it
    this.name = own.name
    this.type = own.type
    this.kind = own.kind
    if (cause) this.cause = cause
  }
}

function composed(facts: Error | ErrorFacts | undefined): string {
  if (facts === undefined) return ""
  if (facts instanceof Error) return facts.message
  const expected = facts.expected === undefined ? "" : `Expected ${facts.expected}.`
  return [expected, facts.hint ?? ""].filter(Boolean).join(" ")
}

function causeOf(first: unknown, second: unknown): ErrorCause | undefined {
  const cause: ErrorCause = {}
  for (const part of [first, second]) {
    if (part instanceof Error) adopt(cause, part)
    else if (typeof part === "object" && part !== null) {
      const { cause: inner, ...facts } = part as ErrorFacts
      Object.assign(cause, facts)
      if (inner instanceof Error) adopt(cause, inner)
      else if (typeof inner === "object" && inner !== null) Object.assign(cause, inner)
      // Thrown without being an error: all there is to know of it is its text.
      else if (inner !== undefined) cause.err = new Error(String(inner))
    }
  }
  return Object.keys(cause).length > 0 ? cause : undefined
}

function adopt(cause: ErrorCause, error: Error): void {
  if (error instanceof AuthError && error.cause) Object.assign(cause, { ...error.cause, ...cause })
  cause.err = error
}

/** Base of the errors that are shown on the sign-in page. */
export class SignInError extends AuthError {
  static override kind = "signIn" as const
}

/** The `signIn` callback refused, or threw: `message` is then the original message. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied" as const
}

/** A passkey belongs to another user than the one who is signed in, or its address does. */
export class AccountNotLinked extends SignInError {
  static override type = "AccountNotLinked" as const
}

/** A method of the database adapter failed; the original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const
}

/** A callback route failed in application code or in the library; the original error is `cause.err`. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError" as const
}

/**
 * Thrown from `authorize` when the credentials are not right. Subclasses set `code`, which appears in the
 * URL of the sign-in page and must not tell which of the credentials was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type = "CredentialsSignin" as const
  /** Shown in the query of the sign-in page as `code`. */
  code: string = "credentials"
}

/** More than one WebAuthn provider asks for autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const
}

/** The e-mail with the sign-in link could not be prepared or sent. */
export class EmailSignInError extends SignInError {
  static override type = "EmailSignInError" as const
}

/** `pages.error` leads back to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const
}

/** An event handler threw; it is logged and does not change the answer. */
export class EventError extends AuthError {
  static override type = "EventError" as const
}

/** A feature is used that has to be switched on under `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled" as const
}

/** A callback URL cannot be used. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const
}

/** State, PKCE or nonce of a sign-in are missing, expired, of another browser or of another provider. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck" as const
}

/** What was typed is not one plain e-mail address. */
export class InvalidEmail extends SignInError {
  static override type = "InvalidEmail" as const
}

/** A provider lacks an endpoint, or has one that may not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const
}

/** The provider is unknown, or cannot do what was asked of it. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider" as const
}

/** The request cannot be understood, or is too large; `status` is the HTTP status to answer with. */
export class InvalidRequest extends AuthError {
  static override type = "InvalidRequest" as const
  /** HTTP status: 400, or 413 for a body over the limit. */
  readonly status: 400 | 413

  constructor(status: 400 | 413, facts: ErrorFacts) {
    super(facts)
    this.status = status
  }
}

/** The session token could not be read, or a callback failed while it was checked. */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError" as const
}

/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const
}

/** The adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const
}

/** A form was posted without the token that proves that this site made it. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF" as const
}

/** There is no secret. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret" as const
}

/** A WebAuthn form has no field that autofill could use. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const
}

/** The address of a provider account belongs to another user, or the account does. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = "OAuthAccountNotLinked" as const
}

/** The provider answered with an error, or its answer cannot be accepted. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError" as const
}

/** The `profile` function of a provider failed, or gave no usable id. */
export class OAuthProfileParseError extends AuthError {
  static override type = "OAuthProfileParseError" as const
}

/** A sign-in with a provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = "OAuthSignInError" as const
}

/** A database session could not be checked. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const
}

/** The session could not be ended; it is still valid, and so is its cookie. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const
}

/** The application's `rateLimit` hook refused an attempt. */
export class TooManyRequests extends SignInError {
  static override type = "TooManyRequests" as const
}

/** No action of the library has this path and method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
}

/** The configured session strategy cannot serve the configured providers. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const
}

/** `trustHost` is not set, so the host of a request cannot be relied on. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const
}

/** An e-mail link is used, expired, or was made for another address. */
export class Verification extends AuthError {
  static override type = "Verification" as const
}

/** A secret has fewer than 32 characters. */
export class WeakSecret extends AuthError {
  static override type = "WeakSecret" as const
}

/** A passkey could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError" as const
}

const clientErrors: ReadonlySet<string> = new Set<ErrorType>([
  "AccessDenied",
  "AccountNotLinked",
  "CredentialsSignin",
  "InvalidEmail",
  "MissingCSRF",
  "OAuthAccountNotLinked",
  "OAuthCallbackError",
  "TooManyRequests",
  "Verification",
  "WebAuthnVerificationError",
])

/** Tells whether the type of an error may be shown to the person: all others become `Configuration`. */
export function isClientError(error: Error): error is AuthError {
  return error instanceof AuthError && clientErrors.has(error.type)
}
