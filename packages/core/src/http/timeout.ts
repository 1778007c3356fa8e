/** An end to waiting for what is not ours: a hook, an adapter, a mailer, a client that sends slowly. */
import { timeouts } from "#timeouts"
import type { Timeouts } from "../runtime/timeouts.ts"
import { timeouts as timers } from "../runtime/timeouts.web.ts"

/** How long a request may take, in milliseconds. What it waits for at a provider has shorter limits. */
const requestTimeout = 30_000

/** How long something is waited for that the answer does not depend on, in milliseconds. */
export const backgroundTimeout = 5000

/**
 * The result of some work, or a rejection when it takes too long. The work itself cannot be stopped: what it comes
 * to afterwards is not used. A timer for each: to the millisecond, where not every request waits.
 *
 * @param duration in milliseconds
 * @param createError says what took too long
 */
export function withTimeout<T>(
  duration: number,
  work: Promise<T>,
  createError: () => Error,
): Promise<T> {
  return raceTimeout(timers, duration, work, createError)
}

/** The same for a request or its body, which most often is done at once, and may take half a minute. */
export function withRequestTimeout<T>(
  work: Promise<T>,
  createError: (seconds: number) => Error,
): Promise<T> {
  return raceTimeout(timeouts, requestTimeout, work, () => createError(requestTimeout / 1000))
}

function raceTimeout<T>(
  { set, clear }: Timeouts,
  duration: number,
  work: Promise<T>,
  createError: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = set(duration, () => reject(createError()))
    work.then(
      (result) => {
        clear(deadline)
        resolve(result)
      },
      (error: unknown) => {
        clear(deadline)
        reject(error)
      },
    )
  })
}
