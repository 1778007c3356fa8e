/** Work that one of many processes does, while the others wait for its result. */
import type { Lease, LeaseAnswer, LeaseStore } from "../../adapters.ts"
import { deriveJweKey, type JweKey, openText, sealText } from "../../crypto/jwe.ts"
import { within } from "../../http/deadline.ts"
import type { Awaitable } from "../../types.ts"

/** Work to be done once. */
export interface Errand<Result extends object> {
  readonly key: string
  /** What the result is sealed with: a text that only those know who may have it. */
  readonly secret: string
  work(): Promise<Result>
  /** How long whoever comes later can do with a result, in milliseconds. */
  lastsFor(result: Result): number
  /** Told why the result could not be left for the others. Must not throw. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** How long the work is one process's alone, in milliseconds: longer than a provider is waited for. */
const granted = 20_000
/** How late an answer of the store may come, in milliseconds: what is left of a lease has to suffice for the work. */
const longestAnswer = 5000
/** How long a result is there for those who come later, in milliseconds: those who wait now get it in any case. */
const kept = 300_000
const shortestKept = 2000
/** How long another process is waited for, in milliseconds: shorter than a request may take. */
const patience = 15_000
/** Between two questions, in milliseconds: half of what has been waited already, so that a slow provider is no load. */
const firstPause = 10
const longestPause = 1000
const growth = 1.5
/** Before the store is asked once more for a lease, in milliseconds. */
const pausesOfAsking = [100]
/** Before a lease is settled or given back once more, in milliseconds: a database that starts again takes a while. */
const pausesOfLeaving = [100, 500, 1000, 2000, 4000, 8000]
/** How long whoever did the work waits until it is left for the others, in milliseconds. */
const longestLeaving = 1000

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
  const answer = await askedFor(leases, lease).catch((error: unknown) => {
    // It may have been granted all the same: others would wait for nobody.
    void insisting([], () => leases.releaseLease(lease)).catch(() => undefined)
    throw error
  })
  if (answer.state === "settled") return opened(answer.result, errand)
  return doAlone(leases, lease, errand)
}

/** Asks until the lease is granted or settled. */
async function askedFor(
  leases: LeaseStore,
  lease: Lease,
): Promise<Exclude<LeaseAnswer, { state: "held" }>> {
  const until = Date.now() + patience
  for (let pause = firstPause; ; pause = Math.min(pause * growth, longestPause)) {
    const asked = Date.now()
    const answer = await insisting(pausesOfAsking, () => leases.acquireLease(lease))
    const isFresh = Date.now() - asked < longestAnswer
    if (answer.state === "settled" || (answer.state === "granted" && isFresh)) return answer
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
    await attempt(
      insisting(pausesOfLeaving, () => leases.releaseLease(lease)),
      errand,
    )
    throw error
  }
  // What was done cannot be done again: the result counts, whether or not the others get to know it.
  await attempt(leave(result, leases, lease, errand), errand)
  return result
}

/** Waits a moment for what may fail. It goes on by itself: others wait for it, too, and a request must not. */
async function attempt(step: Promise<void>, { onError }: Errand<object>): Promise<void> {
  const done = step.catch((error: unknown) => onError?.(error))
  await within(longestLeaving, done, late).catch(() => undefined)
}

async function leave<Result extends object>(
  result: Result,
  leases: LeaseStore,
  lease: Lease,
  errand: Errand<Result>,
): Promise<void> {
  const sealed = await sealText(await keyOf(errand), JSON.stringify(result))
  const lifetime = Math.min(kept, Math.max(shortestKept, errand.lastsFor(result)))
  const settle = () => leases.settleLease({ ...lease, lifetime, result: sealed })
  if (await insisting(pausesOfLeaving, settle)) return
  // It is over, or the store has lost it. Whoever asks next would begin again, unless the result is there by then.
  const { state } = await insisting(pausesOfLeaving, () => leases.acquireLease(lease))
  if (state === "granted" && (await insisting(pausesOfLeaving, settle))) return
  throw new TypeError("The work took longer than its lease: another process may have begun it, too")
}

/** Tries once more after each pause: a store may have done what it did not answer, and would count it as the same. */
async function insisting<Value>(
  pauses: readonly number[],
  step: () => Awaitable<Value>,
): Promise<Value> {
  const attempt = () => within(longestAnswer, (async () => step())(), late)
  for (const pause of pauses) {
    try {
      return await attempt()
    } catch {
      await passing(pause)
    }
  }
  return attempt()
}

function late(): Error {
  return new TypeError(`The store of leases did not answer within ${longestAnswer / 1000} s`)
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
