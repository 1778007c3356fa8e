/** Counts attempts in the database that all processes share, or else in this process. */
import type { AttemptCount, AttemptStore } from "../../adapters.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { withTimeout } from "../../http/timeout.ts"
import { shareWithCopies } from "../../objects.ts"
import type { Awaitable } from "../../types.ts"
import type { AttemptScope } from "./limit-rules.ts"

/** Maximum number of counters of each scope in memory. */
const maxCounters = 10_000
/** A new counter evicts the least-used of this many oldest counters. */
const maxCandidates = 16
/** How long the database may take, in milliseconds. Sign-ins wait no longer than this. */
const storeTimeout = 1000
/** How long the database is not asked again after a failure, in milliseconds. */
const pauseAfterFailure = 10_000

/** The kinds of events that are counted: attempts to sign in, uses of a logout token, or arrivals of a code. */
type CounterScope = AttemptScope | "logout" | "code"

/** Counters in the memory of a process. Their keys are hashes. */
export class MemoryAttempts {
  // One network that tries many accounts must not push its own counter out.
  readonly #scopes: Readonly<Record<CounterScope, Map<string, AttemptCount>>> = {
    network: new Map(),
    identifierAndNetwork: new Map(),
    identifier: new Map(),
    logout: new Map(),
    code: new Map(),
  }

  count(key: string, windowSeconds: number, scope: CounterScope): AttemptCount {
    const counters = this.#scopes[scope]
    const now = Date.now()
    const previous = counters.get(key)
    const isCurrent = previous !== undefined && previous.expires.getTime() > now
    const counter = isCurrent
      ? { ...previous, count: previous.count + 1 }
      : { count: 1, expires: new Date(now + windowSeconds * 1000) }
    if (!isCurrent) makeRoom(counters, key)
    counters.set(key, counter)
    return counter
  }

  reset(key: string): void {
    for (const counters of Object.values(this.#scopes)) counters.delete(key)
  }

  resetAll(): void {
    for (const counters of Object.values(this.#scopes)) counters.clear()
  }
}

/**
 * Keeps the counters in the order in which their windows began. Those with many attempts stay longest: an attacker with
 * many names or networks, each of which counts once, must not push them out.
 */
function makeRoom(counters: Map<string, AttemptCount>, key: string): void {
  counters.delete(key)
  if (counters.size < maxCounters) return
  let [oldest, fewest, compared] = ["", Number.POSITIVE_INFINITY, 0]
  for (const [candidate, { count, expires }] of counters) {
    const attempts = expires.getTime() > Date.now() ? count : 0
    if (attempts < fewest) [oldest, fewest] = [candidate, attempts]
    compared += 1
    if (compared === maxCandidates) break
  }
  counters.delete(oldest)
}

/** One for the process: an application may create its configuration, and its adapter, for each request. */
const memory = /*#__PURE__*/ shareWithCopies("attempts", () => new MemoryAttempts())

/** Forgets all attempts that were counted in memory. For tests: with it, nothing would be limited. */
export function resetAttemptLimits(): void {
  memory.resetAll()
}

/** Counts attempts. Its methods never reject. */
export interface AttemptCounter {
  /** Adds one to a counter, which starts at zero again when its window has expired. */
  count(key: string, windowSeconds: number, scope: CounterScope): Promise<AttemptCount>
  reset(key: string): Promise<void>
}

/** Creates the counter. It counts in memory whenever the database fails: an outage must not refuse anybody. */
export function createAttemptCounter({
  config: { adapter },
  logger,
  store,
}: CoreServices): AttemptCounter {
  let pausedUntil = 0
  /** Returns the result of a method of the adapter; undefined if it has no such method, or the method fails. */
  const callStore = <T>(
    method: keyof AttemptStore,
    call: (store: AttemptStore) => Awaitable<T>,
  ): Promise<T | undefined> => {
    if (!store || typeof adapter?.[method] !== "function" || Date.now() < pausedUntil)
      return Promise.resolve(undefined)
    const message = `${method} took longer than ${storeTimeout / 1000} s`
    return withTimeout(storeTimeout, (async () => call(store))(), message).catch((error) => {
      logger.error(error)
      pausedUntil = Date.now() + pauseAfterFailure
      return undefined
    })
  }
  return {
    async count(key, windowSeconds, scope) {
      const counted = await callStore("countAttempt", async (attempts) => {
        const result = await attempts.countAttempt(key, windowSeconds)
        // Compared, because adapters of others may return anything.
        if (result.count >= 1 && result.expires.getTime() >= 0) return result
        throw new TypeError("countAttempt must return `count`, a number, and `expires`, a Date")
      })
      return counted ?? memory.count(key, windowSeconds, scope)
    },
    async reset(key) {
      memory.reset(key)
      await callStore("resetAttempts", (attempts) => attempts.resetAttempts(key))
    },
  }
}
