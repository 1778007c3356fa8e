/** Counts attempts in the database that all processes share, or else in this process. */
import type { Adapter, AttemptCount, AttemptStore } from "../adapters.ts"
import { withTimeout } from "../http/timeout.ts"
import { isObject } from "../objects.ts"
import type { Awaitable } from "../types.ts"
import type { CoreServices } from "./core-services.ts"

/** Maximum number of counters in memory. A new one replaces an expired one, or else the oldest. */
const maxCounters = 10_000
/** How long the database may take, in milliseconds. Nobody waits for it longer before they may sign in. */
const storeTimeout = 1000
/** How long the database is not asked again after a failure, in milliseconds. */
const pauseAfterFailure = 10_000

/** Counters in the memory of a process. Their keys are hashes. */
export class MemoryAttempts {
  readonly #counters = new Map<string, AttemptCount>()

  count(key: string, windowSeconds: number): AttemptCount {
    const now = Date.now()
    const previous = this.#counters.get(key)
    const isCurrent = previous !== undefined && previous.expires.getTime() > now
    const counter = isCurrent
      ? { ...previous, count: previous.count + 1 }
      : { count: 1, expires: new Date(now + windowSeconds * 1000) }
    if (!previous && this.#counters.size >= maxCounters) this.#makeRoom(now)
    this.#counters.set(key, counter)
    return counter
  }

  reset(key: string): void {
    this.#counters.delete(key)
  }

  #makeRoom(now: number): void {
    for (const [key, { expires }] of this.#counters) {
      if (expires.getTime() <= now) this.#counters.delete(key)
    }
    const [oldest] = this.#counters.keys()
    if (this.#counters.size >= maxCounters && oldest !== undefined) this.#counters.delete(oldest)
  }
}

/** Not one for each configuration, because an application may create that for each request. */
const sharedAttempts = new MemoryAttempts()
const attemptsByAdapter = new WeakMap<Adapter, MemoryAttempts>()

/** Returns the counters of all configurations with an adapter, or without one. */
function getSharedAttempts(adapter: Adapter | undefined): MemoryAttempts {
  if (!isObject(adapter)) return sharedAttempts
  const attempts = attemptsByAdapter.get(adapter) ?? new MemoryAttempts()
  attemptsByAdapter.set(adapter, attempts)
  return attempts
}

/** Counts attempts. Its methods never reject. */
export interface AttemptCounter {
  /** Adds one to a counter, which starts at zero again when its window has expired. */
  count(key: string, windowSeconds: number): Promise<AttemptCount>
  reset(key: string): Promise<void>
}

/** Creates the counter. It counts in memory whenever the database fails: an outage must not refuse anybody. */
export function createAttemptCounter(
  { config: { adapter }, logger, store }: CoreServices,
  memory: MemoryAttempts = getSharedAttempts(adapter),
): AttemptCounter {
  let pausedUntil = 0
  /** Returns the result of a method of the adapter; undefined if it has no such method, or the method fails. */
  const callStore = <T>(
    method: keyof AttemptStore,
    call: (store: AttemptStore) => Awaitable<T>,
  ): Promise<T | undefined> => {
    if (!store || typeof adapter?.[method] !== "function" || Date.now() < pausedUntil)
      return Promise.resolve(undefined)
    const createError = () => new TypeError(`${method} took longer than ${storeTimeout / 1000} s`)
    return withTimeout(storeTimeout, (async () => call(store))(), createError).catch((error) => {
      logger.error(error)
      pausedUntil = Date.now() + pauseAfterFailure
      return undefined
    })
  }
  return {
    async count(key, windowSeconds) {
      const counted = await callStore("countAttempt", async (attempts) => {
        const result = await attempts.countAttempt(key, windowSeconds)
        // Compared, because adapters of others may return anything.
        if (result.count >= 1 && result.expires.getTime() >= 0) return result
        throw new TypeError("countAttempt must return `count`, a number, and `expires`, a Date")
      })
      return counted ?? memory.count(key, windowSeconds)
    },
    async reset(key) {
      memory.reset(key)
      await callStore("resetAttempts", (attempts) => attempts.resetAttempts(key))
    },
  }
}
