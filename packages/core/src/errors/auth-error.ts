/** The base classes of all errors, and their messages. */
import { isObject } from "../objects.ts"

/** The stable names of all errors. */
export type ErrorType =
  | "AccessDenied"
  | "AccessTokenError"
  | "AccountNotLinked"
  | "AdapterError"
  | "CallbackRouteError"
  | "CredentialsSignin"
  | "DuplicateConditionalUI"
  | "DuplicateProvider"
  | "EmailSignInError"
  | "ErrorPageLoop"
  | "EventError"
  | "ExperimentalFeatureNotEnabled"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidConfiguration"
  | "InvalidEmail"
  | "InvalidEndpoints"
  | "InvalidLogoutToken"
  | "InvalidOption"
  | "InvalidProvider"
  | "InvalidRequest"
  | "JWTSessionError"
  | "LastAccount"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingCSRF"
  | "MissingClientId"
  | "MissingSecret"
  | "MissingWebAuthnAutocomplete"
  | "OAuthAccountNotLinked"
  | "OAuthCallbackError"
  | "OAuthProfileParseError"
  | "OAuthSignInError"
  | "SessionNotFresh"
  | "SessionTokenError"
  | "SessionTooLarge"
  | "SignOutError"
  | "TooManyRequests"
  | "UnknownAction"
  | "UnsupportedStrategy"
  | "UntrustedHost"
  | "Verification"
  | "WeakSecret"
  | "WebAuthnVerificationError"

/** For failures of the application's own code, a database or a provider: the message has their own error. */
export const debugHint = "With `debug: true`, the log also has the stack of the error."

/** The details of an error: what was expected, what was received, how to fix it, and anything else to log. */
export interface ErrorDetails extends Record<string, unknown> {
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
  /** The stable name of the error class. */
  static type: ErrorType | "AuthError" = "AuthError"
  /** The stable name of the error class. */
  readonly type: ErrorType | "AuthError"
  /** How to fix most errors of the type; empty for the base classes. */
  static hint: string = ""
  /** The page that shows the error: the sign-in page (`signIn`) or the error page (`error`). */
  static kind: "error" | "signIn" = "error"
  /** The page that shows the error: the sign-in page (`signIn`) or the error page (`error`). */
  readonly kind: "error" | "signIn"
  /** The details of the error. `err` is the original error. */
  declare readonly cause?: ErrorCause

  /**
   * @param message the message, the original error, or details from which a message is composed
   * @param details more details. An `Error` becomes `cause.err`.
   */
  constructor(message?: string | Error | ErrorDetails, details?: Error | ErrorDetails) {
    super(createMessage(message, details, new.target.hint))
    const cause: ErrorCause = {}
    for (const part of [message, details]) addDetails(cause, part)
    this.name = new.target.name
    this.type = new.target.type
    this.kind = new.target.kind
    if (Object.keys(cause).length > 0) this.cause = cause
  }

  /** How to fix the error: its own hint, or the hint of its type, which may be empty. */
  get hint(): string {
    const { hint } = this.cause ?? {}
    return typeof hint === "string" ? hint : (this.constructor as typeof AuthError).hint
  }

  /** How to read the page of the documentation: a command that prints it. */
  get docs(): string {
    return getErrorDocs(this.type)
  }
}

/**
 * Composes the message of an error.
 *
 * @param hint the hint if the details have none. It is not added to a message that is a string.
 */
function createMessage(
  first: string | Error | ErrorDetails | undefined,
  second: Error | ErrorDetails | undefined,
  hint: string,
): string {
  if (first instanceof Error) return first.message
  if (typeof first === "object") return formatDetails({ hint, ...first })
  const details = second instanceof Error ? {} : second
  return [first, formatDetails({ ...details })].filter(Boolean).join(" ")
}

function formatDetails({ expected, received, hint }: ErrorDetails): string {
  const parts = [expected && `Expected ${expected}.`, received && `Received: ${received}.`, hint]
  return parts.filter(Boolean).join(" ")
}

function addDetails(cause: ErrorCause, part: unknown): void {
  if (part instanceof Error) {
    if (part instanceof AuthError) Object.assign(cause, { ...part.cause, ...cause })
    cause.err = part
  } else if (isObject(part)) {
    const { cause: innerCause, ...rest } = part
    Object.assign(cause, rest)
    if (innerCause instanceof Error) addDetails(cause, innerCause)
    else if (isObject(innerCause)) Object.assign(cause, innerCause)
    // The thrown value is not an error.
    else if (innerCause !== undefined) cause.err = new Error(String(innerCause))
  }
}

/** The base class of errors that the sign-in page shows. */
export class SignInError extends AuthError {
  static override kind = "signIn" as const
}

/**
 * Returns how to read the page of the documentation about an error or a warning: a command that prints it, because the
 * documentation has no public address yet.
 *
 * @param type the type of the error, or the code of the warning
 */
export function getErrorDocs(type: string): string {
  return `npx @latchkey/cli explain ${type}`
}
