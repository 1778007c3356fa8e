/** The errors of sessions and events that do not load at the start. */
import { AuthError } from "./auth-error.ts"

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
