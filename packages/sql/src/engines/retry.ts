import type { Awaitable } from "@latchkey/core/types"

const initialDelay = 1
const maxDelay = 50

/** Until when, and for which errors, work is tried again. */
export interface RetryPolicy {
  /** How long to wait, in milliseconds. */
  readonly maxWait: number
  /** Whether an error says that nothing was done because somebody else has to finish first. */
  isBusy(error: unknown): boolean
}

/**
 * Runs a synchronous piece of work, and again while somebody else is in its way. It waits by timers: a driver's own
 * waiting would stop the whole thread, and with it the transaction that is waited for when that is in this thread too.
 */
export function retrySyncWhileBusy<Value>(
  policy: RetryPolicy,
  work: () => Value,
): Awaitable<Value> {
  try {
    return work()
  } catch (error) {
    if (policy.maxWait <= 0 || !policy.isBusy(error)) throw error
    return retryUntilTimeout(policy, work)
  }
}

/** Like `patiently`, for work that answers later. */
export async function retryWhileBusy<Value>(
  policy: RetryPolicy,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (policy.maxWait <= 0 || !policy.isBusy(error)) throw error
    return retryUntilTimeout(policy, work)
  }
}

async function retryUntilTimeout<Value>(
  policy: RetryPolicy,
  work: () => Awaitable<Value>,
): Promise<Value> {
  const deadline = performance.now() + policy.maxWait
  for (let delay = initialDelay; ; delay = Math.min(delay * 2, maxDelay)) {
    // The random part keeps those who wait from trying at the same moments.
    await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())))
    try {
      return await work()
    } catch (error) {
      if (performance.now() >= deadline || !policy.isBusy(error)) throw error
    }
  }
}
