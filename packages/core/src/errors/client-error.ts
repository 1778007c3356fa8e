import { AuthError } from "./auth-error.ts"
import type { ErrorType } from "./error-type.ts"

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
