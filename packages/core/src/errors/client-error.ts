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

/** Whether users may see the type of an error. They see `Configuration` instead of all others. */
export function isClientError(error: Error): error is AuthError {
  return error instanceof AuthError && clientErrors.has(error.type)
}
