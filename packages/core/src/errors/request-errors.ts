/** The errors of requests, and of the session checks in them, which load at the start. */
import { AuthError, debugHint, type ErrorDetails, SignInError } from "./auth-error.ts"

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
  readonly status: 400 | 413

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

  /** Whether the log has a line about this limit already. */
  get isRepeated(): boolean {
    return this.cause?.["isRepeated"] === true
  }
}

/** No action of the library has this path and method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
  static override hint = "Compare the path with `basePath`. Use POST to sign in and out."
}
