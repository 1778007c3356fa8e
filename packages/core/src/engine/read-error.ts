/** The error for a session that could not be checked, and the cookies that its response should set. */
import { AuthError, JWTSessionError, SessionTokenError } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"
import type { Cookie } from "../types.ts"

/** Not a property of the errors, because frameworks and loggers pass those on. */
const cookiesOfErrors = new WeakMap<object, readonly Cookie[]>()

/**
 * Returns the cookies to set on the error response when `getSession` has thrown. If the `session` callback fails after the
 * `jwt` callback changed the token, for example stored a new refresh token, these cookies may be the only copy of the
 * change.
 */
export function getErrorCookies(error: unknown): readonly Cookie[] {
  return cookiesOfErrors.get(Object(error)) ?? []
}

export function setErrorCookies(error: object, cookies: readonly Cookie[]): void {
  if (cookies.length > 0) cookiesOfErrors.set(error, cookies)
}

/** Creates the error for a session that could not be checked. Its message is the line in the log. */
export function createReadError(
  cause: unknown,
  logger: Logger,
  cookies: readonly Cookie[],
): AuthError {
  const text = "The session could not be checked."
  // The application may throw one error for several requests, which must not get each other's cookies. The library
  // creates errors of these two classes for each request.
  const isOwn = cause instanceof JWTSessionError || cause instanceof SessionTokenError
  const isUsable = cause instanceof AuthError && (isOwn || cookies.length === 0)
  const error = isUsable ? cause : new SessionTokenError(text, { cause })
  replaceMessage(error, logger.describe(error))
  setErrorCookies(error, cookies)
  return error
}

/** Replaces the message, also in the stack, because frameworks print only one of them. */
function replaceMessage(error: AuthError, message: string): void {
  const { message: oldMessage, stack } = error
  error.message = message
  if (stack !== undefined) error.stack = stack.replace(oldMessage, () => message)
}
