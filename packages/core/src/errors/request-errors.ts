/** The errors of requests. */
import { AuthError, debugHint, type ErrorDetails, SignInError } from "./auth-error.ts"

/** A method of the database adapter failed. The original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const
  static override hint = "Check that the database is reachable, and that its tables are up to date."
}

/** An event handler threw. The error is logged and does not change the response. */
export class EventError extends AuthError {
  static override type = "EventError" as const
  static override hint = "Catch errors in the event handler."
}

/** A callback URL is invalid. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const
  static override hint = "Use a path on this site, or a URL that the `redirect` callback allows."
}

/** A request to end sessions, which must come from a provider, is not valid. No session has ended. */
export class InvalidLogoutToken extends AuthError {
  static override type = "InvalidLogoutToken" as const
  static override hint = "Compare the client id and the `issuer` with the settings at the provider."
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

/** A database session could not be checked. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const
  static override hint: string = debugHint
}

/** An encrypted session needs more than 12 KB of cookies, which many servers refuse. It is not stored. */
export class SessionTooLarge extends AuthError {
  static override type = "SessionTooLarge" as const
  static override hint =
    "Return less from the `jwt` callback, such as ids instead of lists, or store sessions in a database."
}

/** The session could not be ended. It is still valid, and so is its cookie. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const
  static override hint = "Sign out again once the database is available."
}

/** No action of the library has this path and method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
  static override hint = "Compare the path with `basePath`. Use POST to sign in and out."
}
