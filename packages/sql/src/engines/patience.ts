import type { Awaitable } from "@latchkey/core/types"

const firstPause = 1
const longestPause = 50

/** Until when, and for which errors, work is tried again. */
export interface Patience {
  /** How long to wait, in milliseconds. */
  readonly timeout: number
  /** Whether an error says that nothing was done because somebody else has to finish first. */
  isBusy(error: unknown): boolean
}

/**
 * Runs a synchronous piece of work, and again while somebody else is in its way. It waits by timers: a driver's own
 * waiting would stop the whole thread, and with it the transaction that is waited for when that is in this thread too.
 */
export function patiently<Value>(patience: Patience, work: () => Value): Awaitable<Value> {
  try {
    return work()
  } catch (error) {
    if (patience.timeout <= 0 || !patience.isBusy(error)) throw error
    return again(patience, work)
  }
}

/** Like `patiently`, for work that answers later. */
export async function persistently<Value>(
  patience: Patience,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (patience.timeout <= 0 || !patience.isBusy(error)) throw error
    return again(patience, work)
  }
}

async function again<Value>(patience: Patience, work: () => Awaitable<Value>): Promise<Value> {
  const deadline = performance.now() + patience.timeout
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    // The random part keeps those who wait from trying at the same moments.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
    try {
      return await work()
    } catch (error) {
      if (performance.now() >= deadline || !patience.isBusy(error)) throw error
    }
  }
}
