import type { Awaitable } from "@latchkey/core/types"

const initialDelay = 1
const maxDelay = 50

/** When to retry. */
export interface RetryPolicy {
  /** How long to keep trying, in milliseconds. */
  readonly maxWait: number
  /** Whether an error means that nothing was done because another connection has to finish first. */
  isBusy(error: unknown): boolean
}

/**
 * Runs synchronous work, and retries it while the database is busy. Waits with timers: the driver's own waiting would
 * block the thread, and with it a transaction in the same thread that holds the lock.
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

/** Runs asynchronous work, and retries it while the database is busy. */
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
    // The random part keeps waiting callers from retrying at the same moments.
    await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())))
    try {
      return await work()
    } catch (error) {
      if (performance.now() >= deadline || !policy.isBusy(error)) throw error
    }
  }
}
