import { AuthError } from "../errors.ts"
import type { SessionContext } from "../http/session-context.ts"
import { withRequestTimeout } from "../http/timeout.ts"

/**
 * Returns the result of the work for a request, unless it takes too long. Then the response keeps only cookies that are
 * safe even if the browser has signed out meanwhile.
 *
 * @throws AuthError when the work takes too long
 */
export async function runInTime<T>({ jar }: SessionContext, work: Promise<T>): Promise<T> {
  const timeouts: AuthError[] = []
  try {
    return await withRequestTimeout(work, (seconds) => {
      const timeout = createTimeoutError(seconds)
      timeouts.push(timeout)
      return timeout
    })
  } catch (error) {
    if (timeouts.some((timeout) => timeout === error)) jar.markTimedOut()
    throw error
  }
}

const createTimeoutError = (seconds: number): AuthError =>
  new AuthError({
    expected: `callbacks and adapter to finish within ${seconds} s`,
    isTemporary: true,
    hint: "Set a timeout where your callbacks, hooks, database or mail server wait.",
  })
