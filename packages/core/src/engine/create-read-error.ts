import { AuthError, SessionTokenError } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"

/** Creates the error for a session that could not be checked. Its message is the line in the log. */
export function createReadError(error: unknown, logger: Logger): AuthError {
  const text = "The session could not be checked."
  const authError =
    error instanceof AuthError ? error : new SessionTokenError(text, { cause: error })
  replaceMessage(authError, logger.describe(authError))
  return authError
}

/** Replaces the message, also in the stack, because frameworks print only one of them. */
function replaceMessage(error: AuthError, message: string): void {
  const { message: oldMessage, stack } = error
  error.message = message
  if (stack !== undefined) error.stack = stack.replace(oldMessage, () => message)
}
