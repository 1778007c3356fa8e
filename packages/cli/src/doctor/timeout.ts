/** In milliseconds. */
const timeout = 10_000

/**
 * Waits for a result for a limited time.
 *
 * @throws TypeError after the timeout
 */
export async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    const rejectLate = () => reject(new TypeError(`no response within ${timeout / 1000} s`))
    timer = setTimeout(rejectLate, timeout)
  })
  try {
    return await Promise.race([promise, timeoutPromise])
  } finally {
    clearTimeout(timer)
  }
}
