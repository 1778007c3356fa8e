/** Timeouts for code that is not part of the library: hooks, adapters, mailers, slow clients. */

/** How long a request may take, in milliseconds. Requests to providers have shorter timeouts. */
export const requestTimeout = 30_000

/** Timeout in milliseconds for work on which the response does not depend. */
export const backgroundTimeout = 5000

/**
 * Returns the result of some work, or rejects when it takes too long. The work itself cannot be stopped; its late
 * result is ignored.
 *
 * @param duration in milliseconds
 * @param error the message of the error that says what took too long, or a function that creates it
 */
export function withTimeout<T>(
  duration: number,
  work: Promise<T>,
  error: string | (() => Error),
): Promise<T> {
  return unlessRejected(work, (reject) => {
    const createError = typeof error === "string" ? () => new TypeError(error) : error
    const timer = setTimeout(() => reject(createError()), duration)
    return () => clearTimeout(timer)
  })
}

/**
 * Returns the result of some work, unless something else rejects first.
 *
 * @param listen begins to wait for the reasons to reject, and returns a function that ends the waiting
 */
export function unlessRejected<T>(
  work: Promise<T>,
  listen: (reject: (error: Error) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = listen(reject)
    work.then(stopListening, stopListening)
    work.then(resolve, reject)
  })
}
