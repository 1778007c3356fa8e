/** What leaves a server function as an error. SolidStart sends it to the browser, with every property of its own. */
import { AuthError } from "@latchkey/core/errors"

/**
 * The result of work of the engine. An error is thrown with its type and code, as the browser may know it; what else it
 * tells is in the log already, and in `cause` for the code of the server.
 */
export async function outward<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof AuthError ? veiled(error) : error
  }
}

/** An error of the same class, whose `cause` and `stack` are not among its own properties. */
function veiled(error: AuthError): AuthError {
  const { cause, stack, ...open } = Object.fromEntries(
    Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]),
  )
  const story = Object.create(Object.getPrototypeOf(error), {
    cause: { value: cause },
    stack: { value: stack },
  })
  const message = `${error.type}: the log of the server says why.`
  return Object.create(story, Object.getOwnPropertyDescriptors({ ...open, message }))
}
