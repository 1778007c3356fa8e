/** An end to waiting for what is not ours: a hook, an adapter, a mailer, a client that sends slowly. */

/** How long a request may take, in milliseconds. What it waits for at a provider has shorter limits. */
export const requestDeadline = 30_000

/** How long something is waited for that the answer does not depend on, in milliseconds. */
export const asideLimit = 5000

/**
 * The result of some work, or a rejection when it takes too long. The work itself cannot be stopped: what it comes
 * to afterwards is not used.
 *
 * @param limit in milliseconds
 * @param late says what took too long
 */
export function within<T>(limit: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limit)
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
