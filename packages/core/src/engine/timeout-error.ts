import { AuthError } from "../errors.ts"
import type { SessionContext } from "../http/session-context.ts"

/** Returns a function that creates the error for a request that takes too long, and marks its cookies as late. */
export function timeoutError({ jar }: SessionContext): (seconds: number) => AuthError {
  return (seconds) => {
    jar.markTimedOut()
    return new AuthError({
      expected: `callbacks and adapter to finish within ${seconds} s`,
      isTemporary: true,
      hint: "Set a timeout where your callbacks, hooks, database or mail server wait.",
    })
  }
}
