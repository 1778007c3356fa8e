/** Patience for what the doctor asks, in milliseconds. */
const timeout = 10_000

/**
 * Waits for an answer, but not for ever.
 *
 * @throws TypeError when there is none in time
 */
export async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    const rejectLate = () => reject(new TypeError(`no answer within ${timeout / 1000} s`))
    timer = setTimeout(rejectLate, timeout)
  })
  try {
    return await Promise.race([promise, timeoutPromise])
  } finally {
    clearTimeout(timer)
  }
}
