/** What leaves a server function as an error. SolidStart sends it to the browser, with every property of its own. */
import { AuthError } from "@latchkey/core/errors"

/**
 * The result of work of the engine. An error is thrown with its type and code, as the browser may know it; what else it
 * tells is in the log already, and in `cause` for the code of the server.
 */
export async function sanitizeAsyncErrors<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    throw sanitizeError(error, `${error.type}: the log of the server says why.`)
  }
}

/**
 * The result of a look at the request, before the engine has it. No log knows of its errors: their message stays, which
 * tells only what the request said, and what was expected of it.
 */
export function sanitizeErrors<T>(operation: () => T): T {
  try {
    return operation()
  } catch (error) {
    throw error instanceof AuthError ? sanitizeError(error, error.message) : error
  }
}

/** An error of the same class, whose `cause` and `stack` are not among its own properties. */
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
