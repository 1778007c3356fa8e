/** Timeouts for code that is not part of the library: hooks, adapters, mailers, slow clients. */

/** How long a request may take, in milliseconds. Requests to providers have shorter timeouts. */
const requestTimeout = 30_000

/** Timeout in milliseconds for work on which the response does not depend. */
export const backgroundTimeout = 5000

/**
 * Returns the result of some work, or rejects when it takes too long. The work itself cannot be stopped; its late
 * result is ignored.
 *
 * @param duration in milliseconds
 * @param createError creates the error that says what took too long
 */
export function withTimeout<T>(
  duration: number,
  work: Promise<T>,
  createError: () => Error,
): Promise<T> {
  return unlessRejected(work, (reject) => {
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
    work.then(
      (result) => {
        stopListening()
        resolve(result)
      },
      (error) => {
        stopListening()
        reject(error)
      },
    )
  })
}

/**
 * The same for a whole request, or for reading its body.
 *
 * @param handleTimeout runs when the time is over, and returns the error
 */
export function withRequestTimeout<T>(
  work: Promise<T>,
  handleTimeout: (seconds: number) => Error,
): Promise<T> {
  return withTimeout(requestTimeout, work, () => handleTimeout(requestTimeout / 1000))
}
