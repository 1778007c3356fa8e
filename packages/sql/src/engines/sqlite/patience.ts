import type { Awaitable } from "@latchkey/core/types"
import { isBusy } from "./diagnose.ts"

const firstPause = 1
const longestPause = 50

/**
 * Runs a synchronous piece of work, and again while another connection has the database locked, for up to
 * `timeout` milliseconds. It waits by timers: SQLite's own `busy_timeout` would stop the whole thread,
 * and with it the transaction that is waited for when that is in this thread too.
 */
export function patiently<Value>(timeout: number, work: () => Value): Awaitable<Value> {
  try {
    return work()
  } catch (error) {
    if (timeout <= 0 || !isBusy(error)) throw error
    return again(performance.now() + timeout, work)
  }
}

async function again<Value>(deadline: number, work: () => Value): Promise<Value> {
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    // The random part keeps waiting connections from trying at the same moments.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
    try {
      return work()
    } catch (error) {
      if (performance.now() >= deadline || !isBusy(error)) throw error
    }
  }
}
