/** The errors of sign-ins. */
import { AuthError, debugHint, SignInError } from "./auth-error.ts"

/** The `signIn` callback refused the sign-in, or threw. If it threw, `message` is the original message. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied" as const
  static override hint =
    "Check the return value of the `signIn` callback. Return true to allow the sign-in."
}

/** There is no access token of a provider that can be used. */
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

/** The state, PKCE verifier or nonce of a sign-in is missing, expired, or of another browser or provider. */
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

/** The provider returned an error, or its response is invalid. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError" as const
  static override hint =
    "Compare the client id, secret, redirect URI and scopes with the settings at the provider."

  /** Whether the user declined, or the provider refused the user (RFC 6749 section 4.1.2.1): nothing has failed. */
  get isDenied(): boolean {
    return this.cause?.["error"] === "access_denied"
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
