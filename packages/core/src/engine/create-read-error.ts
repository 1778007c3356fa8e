import { AuthError, SessionTokenError } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"
import type { Cookie } from "../types.ts"
import { getErrorCookies, setErrorCookies } from "./error-cookies.ts"

/** Creates the error for a session that could not be checked. Its message is the line in the log. */
export async function createReadError(
  cause: unknown,
  logger: Logger,
  cookies: readonly Cookie[],
): Promise<AuthError> {
  const text = "The session could not be checked."
  // An error that the application throws a second time already carries the cookies of another request.
  const isUsable = cause instanceof AuthError && getErrorCookies(cause).length === 0
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
