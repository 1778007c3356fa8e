/** Work that one of many processes does, while the others wait for its result. */
import type { Lease, LeaseStore } from "../../adapters.ts"
import { deriveJweKey, type JweKey, openText, sealText } from "../../crypto/jwe.ts"
import type { Awaitable } from "../../types.ts"

/** Work to be done once. */
export interface Errand<Result extends object> {
  readonly key: string
  /** What the result is sealed with: a text that only those know who may have it. */
  readonly secret: string
  work(): Promise<Result>
  /** Told why the result could not be left for the others. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** How long the work is one process's alone, in milliseconds: longer than a provider is waited for. */
const granted = 20_000
/** How late the word that it is granted may come, in milliseconds: what is left of it has to suffice for the work. */
const longestAnswer = 5000
/** How long a result is there for those who come later, in milliseconds. */
const kept = 300_000
/** How long another process is waited for, in milliseconds: shorter than a request may take. */
const patience = 15_000
/** Between two questions, in milliseconds: the pause doubles. */
const firstPause = 10
const longestPause = 250
/** Before the store is asked once more for a lease, in milliseconds. */
const pausesOfAsking = [100]
/** Before a lease is settled or given back once more, in milliseconds. */
const pausesOfLeaving = [100, 500]

/**
 * Does the work, or waits for the process that does it. Work that failed is given back: whoever waits tries it next.
 *
 * @throws what the work throws, or the store; TypeError when another process does not get done
 */
export async function doOnce<Result extends object>(
  leases: LeaseStore,
  errand: Errand<Result>,
): Promise<Result> {
  const lease: Lease = { key: errand.key, holder: crypto.randomUUID(), lifetime: granted }
  const until = Date.now() + patience
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const asked = Date.now()
    const answer = await insisting(pausesOfAsking, () => leases.acquireLease(lease))
    const isFresh = Date.now() - asked < longestAnswer
    if (answer.state === "granted" && isFresh) return doAlone(leases, lease, errand)
    if (answer.state === "settled") return opened(answer.result, errand)
    if (Date.now() + pause > until) {
      throw new TypeError(`Another process did not get done within ${patience / 1000} s`)
    }
    await passing(pause)
  }
}

async function doAlone<Result extends object>(
  leases: LeaseStore,
  lease: Lease,
  errand: Errand<Result>,
): Promise<Result> {
  let result: Result
  try {
    result = await errand.work()
  } catch (error) {
    await attempt(() => insisting(pausesOfLeaving, () => leases.releaseLease(lease)), errand)
    throw error
  }
  // What was done cannot be done again: the result counts, whether or not the others get to know it.
  await attempt(() => leave(result, leases, lease, errand), errand)
  return result
}

async function attempt(step: () => Awaitable<void>, { onError }: Errand<object>): Promise<void> {
  try {
    await step()
  } catch (error) {
    try {
      onError?.(error)
    } catch {
      // What tells the application must not lose it what was done.
    }
  }
}

async function leave<Result extends object>(
  result: Result,
  leases: LeaseStore,
  lease: Lease,
  errand: Errand<Result>,
): Promise<void> {
  const sealed = await sealText(await keyOf(errand), JSON.stringify(result))
  const settled = { ...lease, lifetime: kept, result: sealed }
  if (await insisting(pausesOfLeaving, () => leases.settleLease(settled))) return
  throw new TypeError("The work took longer than its lease: another process may have begun it, too")
}

/** Tries once more after each pause: a store may have done what it did not answer, and would count it as the same. */
async function insisting<Value>(
  pauses: readonly number[],
  step: () => Awaitable<Value>,
): Promise<Value> {
  for (const pause of pauses) {
    try {
      return await step()
    } catch {
      await passing(pause)
    }
  }
  return step()
}

async function opened<Result extends object>(
  sealed: string,
  errand: Errand<Result>,
): Promise<Result> {
  const result = await openText([await keyOf(errand)], sealed)
  if (result.kind === "refused") {
    throw new TypeError(`What another process left cannot be read: ${result.reason}`)
  }
  // Sealed with what only those know who did the same work: it is what they came to.
  return JSON.parse(result.plaintext) as Result
}

function keyOf({ secret, key }: Pick<Errand<object>, "secret" | "key">): Promise<JweKey> {
  return deriveJweKey(secret, "latchkey", `Latchkey lease key (${key})`)
}

function passing(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
