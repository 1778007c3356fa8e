/** Patience for what the doctor asks, in milliseconds. */
const patience = 10_000

/**
 * Waits for an answer, but not for ever.
 *
 * @throws TypeError when there is none in time
 */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const late = () => reject(new TypeError(`no answer within ${patience / 1000} s`))
    timer = setTimeout(late, patience)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
