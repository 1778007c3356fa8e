/** The errors that any request can have: of the configuration, of the time limit, and of the check of its session. */
import type { SessionConfig } from "../config/resolved-config.ts"
import { AuthError, InvalidConfiguration, JWTSessionError, SessionTokenError } from "../errors.ts"
import type { SessionContext } from "../http/session-context.ts"
import { requestTimeout, withTimeout } from "../http/timeout.ts"
import type { Logger } from "../logging/logger.ts"
import type { Cookie } from "../types.ts"

/** Returns the problems of a configuration as one error; undefined if there are none. */
export function getConfigError({
  problems,
}: Pick<SessionConfig, "problems">): AuthError | undefined {
  const [problem, ...others] = problems
  const error = others.length > 0 ? new InvalidConfiguration(problems) : problem
  // Frameworks print the stack of what is thrown. Where a problem was found says nothing.
  if (error) error.stack = `${error.name}: ${error.message}`
  return error
}

/**
 * Returns the result of the work for a request, unless it takes too long. Then the response keeps only cookies that are
 * safe even if the browser has signed out meanwhile.
 *
 * @throws AuthError when the work takes too long
 */
export function runInTime<T>({ jar }: SessionContext, work: Promise<T>): Promise<T> {
  return withTimeout(requestTimeout, work, () => {
    jar.markTimedOut()
    return new AuthError({
      expected: `callbacks and adapter to finish within ${requestTimeout / 1000} s`,
      isTemporary: true,
      hint: "Set a timeout where your callbacks, hooks, database or mail server wait.",
    })
  })
}

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
  const summary = "The session could not be checked."
  // The application may throw one error for several requests, which must not get each other's cookies. The library
  // creates errors of these two classes for each request.
  const isOwn = cause instanceof JWTSessionError || cause instanceof SessionTokenError
  const isUsable = cause instanceof AuthError && (isOwn || cookies.length === 0)
  const error = isUsable ? cause : new SessionTokenError({ summary, cause })
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
