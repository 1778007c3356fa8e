/** Classes of errors, by the response that they lead to. */
import { AdapterError, AuthError, type ErrorType } from "./error-classes.ts"

/** The types of errors that users may see, in the parameter `error`. They see `Configuration` instead of all others. */
export const clientErrors: ReadonlySet<string> = new Set<ErrorType>([
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

/** Whether users may see the type of an error. */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && clientErrors.has(error.type)
}

/** Lists an error and the errors behind it, outermost first. */
export function listErrors(error: unknown, maxCount = 8): unknown[] {
  const cause: unknown = error instanceof AuthError ? error.cause?.err : Object(error).cause
  const hasCause = cause !== undefined && maxCount > 1
  return [error, ...(hasCause ? listErrors(cause, maxCount - 1) : [])]
}

/**
 * Whether a database or provider did not respond, or responded that it has failed: a later attempt may succeed. Also
 * checks the errors behind an error.
 */
export function isOutage(error: unknown): boolean {
  for (const each of listErrors(error)) {
    if (each instanceof AdapterError) return each.cause?.["isTemporary"] !== false
    const { isTemporary, status } = Object(each instanceof AuthError ? each.cause : each)
    if (isTemporary === true || status >= 500) return true
  }
  return false
}
