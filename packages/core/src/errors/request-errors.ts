/** The errors of requests. */
import { AuthError, type ErrorDetails, SignInError } from "./auth-error.ts"

/** A method of the database adapter failed. The original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const
}

/** An event handler threw. The error is logged and does not change the response. */
export class EventError extends AuthError {
  static override type = "EventError" as const
}

/** A callback URL is invalid. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const
}

/** The request is malformed or too large. */
export class InvalidRequest extends AuthError {
  static override type = "InvalidRequest" as const
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
}

/** A form was posted without a valid CSRF token. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF" as const
}

/** A database session could not be checked. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const
}

/** An encrypted session needs more than 12 KB of cookies, which many servers refuse. It is not stored. */
export class SessionTooLarge extends AuthError {
  static override type = "SessionTooLarge" as const
}

/** The session could not be ended. It is still valid, and so is its cookie. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const
}

/** No action of the library has this path and method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
}
