/** Classes of errors, by the response that they lead to. */
import { AdapterError, AuthError, type ErrorType } from "./error-classes.ts"

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

/**
 * Whether a database or provider did not respond, or responded that it has failed: a later attempt may succeed. Also
 * checks the errors behind an error.
 */
export function isOutage(error: unknown, maxDepth = 8): boolean {
  if (error instanceof AdapterError) return true
  const isAuthError = error instanceof AuthError
  const { isTemporary, status } = Object(isAuthError ? error.cause : error)
  if (isTemporary === true || status >= 500) return true
  const cause: unknown = isAuthError ? error.cause?.err : Object(error).cause
  return cause !== undefined && maxDepth > 1 && isOutage(cause, maxDepth - 1)
}
