/** Why somebody could not sign in. */
import { AuthError, SignInError } from "./auth-error.ts"

/** The `signIn` callback refused, or threw: `message` is then the original message. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied" as const
  static override hint = "Look at what the `signIn` callback returns: true lets people in."
}

/** A passkey belongs to another user than the one who is signed in, or its address does. */
export class AccountNotLinked extends SignInError {
  static override type = "AccountNotLinked" as const
  static override hint = "Sign in the way you did before, then add the passkey while signed in."
}

/** A callback route failed in application code or in the library; the original error is `cause.err`. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError" as const
  static override hint =
    "The error behind it, `cause.err`, says where: in a callback, the database or an answer."
}

/**
 * Thrown from `authorize` when the credentials are not right. Subclasses set `code`, which appears in the
 * URL of the sign-in page and must not tell which of the credentials was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type = "CredentialsSignin" as const
  static override hint = "What was typed is wrong, or `authorize` did not find the person."
  /** Shown in the query of the sign-in page as `code`. */
  code: string = "credentials"
}

/** The e-mail with the sign-in link could not be prepared or sent. */
export class EmailSignInError extends SignInError {
  static override type = "EmailSignInError" as const
  static override hint = "Look at the address, user and password of the mail server."
}

/** State, PKCE or nonce of a sign-in are missing, expired, of another browser or of another provider. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck" as const
  static override hint =
    "Begin the sign-in again, under the host name that the provider returns to."
}

/** What was typed is not one plain e-mail address. */
export class InvalidEmail extends SignInError {
  static override type = "InvalidEmail" as const
  static override hint = "Type one plain address."
}

/** The provider is unknown, is none, or cannot do what was asked of it. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider" as const
  static override hint = "Compare the id in the address with the configured `providers`."
}

/** The address of a provider account belongs to another user, or the account does. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = "OAuthAccountNotLinked" as const
  static override hint = "Sign in the way you did before, then add this account while signed in."
}

/** The provider answered with an error, or its answer cannot be accepted. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError" as const
  static override hint =
    "Compare client id, secret, redirect URI and scopes with what the provider knows."
}

/** The `profile` function of a provider failed, or gave no usable id. */
export class OAuthProfileParseError extends AuthError {
  static override type = "OAuthProfileParseError" as const
  static override hint = "Let `profile` return an object whose `id` is text or a number."
}

/** A sign-in with a provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = "OAuthSignInError" as const
  static override hint =
    "See whether this server reaches the `issuer`, and whether its metadata can be used."
}

/** The application's `rateLimit` hook refused an attempt. */
export class TooManyRequests extends SignInError {
  static override type = "TooManyRequests" as const
  static override hint = "Wait, then try again; or let `rateLimit` allow more."
}

/** An e-mail link is used, expired, or was made for another address. */
export class Verification extends AuthError {
  static override type = "Verification" as const
  static override hint = "Ask for a new link, and use it once."
}

/** A passkey could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError" as const
  static override hint =
    "Compare the relying party with the address of the page; or use another passkey."
}
