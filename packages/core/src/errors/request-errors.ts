/** What is wrong with a request, or went wrong while it was answered. */
import { AuthError, SignInError } from "./auth-error.ts"
import type { ErrorDetails } from "./error-details.ts"

/** A method of the database adapter failed; the original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const
  static override hint = "The original error, `cause.err`, says what the database could not do."
}

/** An event handler threw; it is logged and does not change the answer. */
export class EventError extends AuthError {
  static override type = "EventError" as const
  static override hint =
    "Let the handler catch what it can throw: the original error is `cause.err`."
}

/** A callback URL cannot be used. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const
  static override hint = "Use a path of this site, or an URL that the `redirect` callback allows."
}

/** The request cannot be understood, or is too large; `status` is the HTTP status to answer with. */
export class InvalidRequest extends AuthError {
  static override type = "InvalidRequest" as const
  static override hint = "Send a form or a JSON object, of 64 KiB at most."
  /** HTTP status: 400, or 413 for a body over the limit. */
  readonly status: 400 | 413

  constructor(status: 400 | 413, details: ErrorDetails) {
    super(details)
    this.status = status
  }
}

/** The session token could not be read, or a callback failed while it was checked. */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError" as const
  static override hint =
    "A token of another secret is nothing to mend; of a callback, `cause.err` tells more."
}

/** A form was posted without the token that proves that this site made it. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF" as const
  static override hint =
    "Load the page again; a form of your own needs the `csrfToken` of GET /auth/csrf."
}

/** A database session could not be checked. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const
  static override hint =
    "The original error, `cause.err`, says what the database or the callback could not do."
}

/** The session could not be ended; it is still valid, and so is its cookie. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const
  static override hint =
    "Sign out again once the database answers: the original error is `cause.err`."
}

/** No action of the library has this path and method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
  static override hint = "Compare the path with `basePath`; begin and end sessions with POST."
}
