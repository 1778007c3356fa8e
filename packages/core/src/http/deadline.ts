/** An end to waiting for what is not ours: a hook, an adapter, a mailer, a client that sends slowly. */
import { deadlines } from "#deadlines"
import type { Deadlines } from "../runtime/deadlines.ts"
import { deadlines as timers } from "../runtime/deadlines.web.ts"

/** How long a request may take, in milliseconds. What it waits for at a provider has shorter limits. */
const requestDeadline = 30_000

/** How long something is waited for that the answer does not depend on, in milliseconds. */
export const asideLimit = 5000

/**
 * The result of some work, or a rejection when it takes too long. The work itself cannot be stopped: what it comes
 * to afterwards is not used. A timer for each: to the millisecond, where not every request waits.
 *
 * @param limit in milliseconds
 * @param late says what took too long
 */
export function within<T>(limit: number, work: Promise<T>, late: () => Error): Promise<T> {
  return bounded(timers, limit, work, late)
}

/** The same for a request or its body, which most often is done at once, and may take half a minute. */
export function inTime<T>(work: Promise<T>, late: (seconds: number) => Error): Promise<T> {
  return bounded(deadlines, requestDeadline, work, () => late(requestDeadline / 1000))
}

function bounded<T>(
  { set, clear }: Deadlines,
  limit: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = set(limit, () => reject(late()))
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
