/** Work that one of many processes does, while the others wait for its result. */
import type { Lease, LeaseStatus, LeaseStore } from "../../adapters.ts"
import { decryptJwe, deriveJweKey, encryptJwe, type JweKey } from "../../crypto/jwe.ts"
import { withTimeout } from "../../http/timeout.ts"
import type { Awaitable } from "../../types.ts"

/** Work to be done once. */
export interface LockedTask<Result extends object> {
  readonly key: string
  /** What the result is sealed with: a text that only those know who may have it. */
  readonly secret: string
  run(): Promise<Result>
  /** How long whoever comes later can do with a result, in milliseconds. */
  getResultLifetime(result: Result): number
  /** Told why the result could not be left for the others. Must not throw. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** How long the work is one process's alone, in milliseconds: longer than a provider is waited for. */
const leaseDuration = 20_000
/** How late an answer of the store may come, in milliseconds: what is left of a lease has to suffice for the work. */
const storeTimeout = 5000
/** How long a result is there for those who come later, in milliseconds: those who wait now get it in any case. */
const maxResultLifetime = 300_000
const minResultLifetime = 2000
/** How long another process is waited for, in milliseconds: shorter than a request may take. */
const maxWait = 15_000
/** Between two questions, in milliseconds: half of what has been waited already, so that a slow provider is no load. */
const initialDelay = 10
const maxDelay = 1000
const backoffFactor = 1.5
/** Before the store is asked once more for a lease, in milliseconds. */
const acquireRetryDelays = [100]
/** Before a lease is completed or given back once more, in milliseconds: a database that starts again takes a while. */
const completionRetryDelays = [100, 500, 1000, 2000, 4000, 8000]
/** How long whoever did the work waits until it is left for the others, in milliseconds. */
const completionTimeout = 1000

/**
 * Does the work, or waits for the process that does it. Work that failed is given back: whoever waits tries it next.
 *
 * @throws what the work throws, or the store; TypeError when another process does not get done
 */
export async function runExclusive<Result extends object>(
  leases: LeaseStore,
  task: LockedTask<Result>,
): Promise<Result> {
  const lease: Lease = { key: task.key, holder: crypto.randomUUID(), lifetime: leaseDuration }
  const leaseStatus = await waitForLease(leases, lease).catch((error: unknown) => {
    // It may have been granted all the same: others would wait for nobody.
    void retry([], () => leases.releaseLease(lease)).catch(() => undefined)
    throw error
  })
  if (leaseStatus.state === "completed") return openResult(leaseStatus.result, task)
  return runWithLease(leases, lease, task)
}

/** Asks until the lease is granted or completed. */
async function waitForLease(
  leases: LeaseStore,
  lease: Lease,
): Promise<Exclude<LeaseStatus, { state: "held" }>> {
  const deadline = Date.now() + maxWait
  for (let delay = initialDelay; ; delay = Math.min(delay * backoffFactor, maxDelay)) {
    const requestedAt = Date.now()
    const leaseStatus = await retry(acquireRetryDelays, () => leases.acquireLease(lease))
    const isFresh = Date.now() - requestedAt < storeTimeout
    if (leaseStatus.state === "completed" || (leaseStatus.state === "granted" && isFresh))
      return leaseStatus
    if (Date.now() + delay > deadline) {
      throw new TypeError(`Another process did not get done within ${maxWait / 1000} s`)
    }
    await sleep(delay)
  }
}

async function runWithLease<Result extends object>(
  leases: LeaseStore,
  lease: Lease,
  task: LockedTask<Result>,
): Promise<Result> {
  let result: Result
  try {
    result = await task.run()
  } catch (error) {
    await awaitCompletion(
      retry(completionRetryDelays, () => leases.releaseLease(lease)),
      task,
    )
    throw error
  }
  // What was done cannot be done again: the result counts, whether or not the others get to know it.
  await awaitCompletion(publishResult(result, leases, lease, task), task)
  return result
}

/** Waits a moment for what may fail. It goes on by itself: others wait for it, too, and a request must not. */
async function awaitCompletion(
  operation: Promise<void>,
  { onError }: LockedTask<object>,
): Promise<void> {
  const completion = operation.catch((error: unknown) => onError?.(error))
  await withTimeout(completionTimeout, completion, createTimeoutError).catch(() => undefined)
}

async function publishResult<Result extends object>(
  result: Result,
  leases: LeaseStore,
  lease: Lease,
  task: LockedTask<Result>,
): Promise<void> {
  const sealedResult = await encryptJwe(await deriveResultKey(task), JSON.stringify(result))
  const lifetime = Math.min(
    maxResultLifetime,
    Math.max(minResultLifetime, task.getResultLifetime(result)),
  )
  const completeLease = () => leases.completeLease({ ...lease, lifetime, result: sealedResult })
  if (await retry(completionRetryDelays, completeLease)) return
  // It is over, or the store has lost it. Whoever asks next would begin again, unless the result is there by then.
  const { state } = await retry(completionRetryDelays, () => leases.acquireLease(lease))
  if (state === "granted" && (await retry(completionRetryDelays, completeLease))) return
  throw new TypeError("The work took longer than its lease: another process may have begun it, too")
}

/** Tries once more after each pause: a store may have done what it did not answer, and would count it as the same. */
async function retry<Value>(
  delays: readonly number[],
  operation: () => Awaitable<Value>,
): Promise<Value> {
  const tryOnce = () => withTimeout(storeTimeout, (async () => operation())(), createTimeoutError)
  for (const delay of delays) {
    try {
      return await tryOnce()
    } catch {
      await sleep(delay)
    }
  }
  return tryOnce()
}

function createTimeoutError(): Error {
  return new TypeError(`The store of leases did not answer within ${storeTimeout / 1000} s`)
}

async function openResult<Result extends object>(
  sealedResult: string,
  task: LockedTask<Result>,
): Promise<Result> {
  const decryptedResult = await decryptJwe([await deriveResultKey(task)], sealedResult)
  if (decryptedResult.kind === "refused") {
    throw new TypeError(`What another process left cannot be read: ${decryptedResult.reason}`)
  }
  // Sealed with what only those know who did the same work: it is what they came to.
  return JSON.parse(decryptedResult.plaintext) as Result
}

function deriveResultKey({
  secret,
  key,
}: Pick<LockedTask<object>, "secret" | "key">): Promise<JweKey> {
  return deriveJweKey(secret, "latchkey", `Latchkey lease key (${key})`)
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
