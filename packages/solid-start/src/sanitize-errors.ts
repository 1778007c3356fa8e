/** Errors that leave a server function. SolidStart sends them to the browser with all their own properties. */
import { AuthError } from "@latchkey/core/errors"

/**
 * Awaits work of the engine. It rethrows an error with the type and code that the browser may know. The details are in
 * the log, and in `cause` for code on the server.
 */
export async function sanitizeAsyncErrors<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    throw sanitizeError(error, `${error.type}: the server log has the details.`)
  }
}

/**
 * Runs a check of the request before the engine gets it. The errors keep their messages, which contain only values of
 * the request and what was expected, because they are not logged.
 */
export function sanitizeErrors<T>(operation: () => T): T {
  try {
    return operation()
  } catch (error) {
    throw error instanceof AuthError ? sanitizeError(error, error.message) : error
  }
}

/** Creates an error of the same class whose `cause` and `stack` are not own properties. */
function sanitizeError(error: AuthError, message: string): AuthError {
  const { cause, stack, ...publicProperties } = Object.fromEntries(
    Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]),
  )
  const prototype = Object.create(Object.getPrototypeOf(error), {
    cause: { value: cause },
    stack: { value: stack },
  })
  return Object.create(
    prototype,
    Object.getOwnPropertyDescriptors({ ...publicProperties, message }),
  )
}
