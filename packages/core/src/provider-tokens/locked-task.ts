/** Tasks that one of several processes runs while the others wait for its result. */
import type { Lease, LeaseStatus, LeaseStore } from "../adapters.ts"
import { decryptJwe, deriveJweKey, encryptJwe } from "../crypto/jwe.ts"
import { withTimeout } from "../http/timeout.ts"
import type { Awaitable } from "../types.ts"

export interface LockedTask<Result extends object> {
  /** Names the task, and seals its result: a text known only to those who may read it. Stays within the processes. */
  readonly name: string
  run(): Promise<Result>
  /** Until when others may reuse the result, in seconds since 1970. @defaultValue as long as it is kept */
  getExpiry?(result: Result): number | undefined
  /** Receives a result that another process, or an earlier call, has completed. */
  readonly onShared?: ((result: Result) => Promise<void>) | undefined
  /** Receives the error when the result could not be shared. Must not throw. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** How long one process holds the lease, in milliseconds: longer than the timeout of requests to a provider. */
const leaseDuration = 20_000
/** Timeout for the store, in milliseconds. The rest of a lease has to suffice for the task. */
const storeTimeout = 5000
/** How long a result is kept, in milliseconds. The minimum is for processes that are waiting for it. */
const maxResultLifetime = 300_000
const minResultLifetime = 2000
/** How long to wait for another process, in milliseconds: less than a request may take. */
const maxWait = 15_000
/** Pauses while waiting, in milliseconds. They grow, so that a slow provider does not cause load on the store. */
const initialDelay = 10
const maxDelay = 1000
const backoffFactor = 1.5
/** Pauses before the store is asked again for a lease, in milliseconds. */
const acquireDelays = [100]
/** Pauses before a lease is completed or released again, in milliseconds: a restart of the database takes a while. */
const completionDelays = [100, 500, 1000, 2000, 4000, 8000]
/** How long the process that ran the task waits until its result is shared, in milliseconds. */
const completionTimeout = 1000

/**
 * Runs a task, or waits for the process that runs it. If the task fails, its lease is released for the next process.
 *
 * @throws the error of the task, or of the store; TypeError when another process takes too long
 */
export async function runOnceAndShare<Result extends object>(
  leases: LeaseStore,
  key: string,
  task: LockedTask<Result>,
): Promise<Result> {
  const lease: Lease = { key, holder: crypto.randomUUID(), lifetime: leaseDuration }
  const release = (delays?: readonly number[]) => retry(() => leases.releaseLease(lease), delays)
  const sealKey = await deriveJweKey(task.name, "latchkey", `Latchkey lease key (${key})`)
  const status = await waitForLease(leases, lease).catch((error: unknown) => {
    // The store may have granted the lease nevertheless.
    void release([]).catch(() => undefined)
    throw error
  })
  if (status.state === "completed") {
    const decrypted = await decryptJwe([sealKey], status.result)
    // Only a process that ran the same task can seal it.
    if (typeof decrypted === "string")
      throw new TypeError(`The result of another process cannot be read: ${decrypted}`)
    const result = JSON.parse(decrypted.plaintext) as Result
    await task.onShared?.(result)
    return result
  }
  let result: Result
  try {
    result = await task.run()
  } catch (error) {
    await awaitCompletion(release(), task.onError)
    throw error
  }
  const lifetime = Math.max(minResultLifetime, getResultLifetime(task, result))
  const sealed = await encryptJwe(sealKey, JSON.stringify(result))
  const completion = completeLease(leases, lease, { ...lease, lifetime, result: sealed })
  // The task cannot be repeated, so its result counts even if it could not be shared.
  await awaitCompletion(completion, task.onError)
  return result
}

/** Returns how long others may reuse a result, in milliseconds. */
export const getResultLifetime = <Result extends object>(
  { getExpiry }: LockedTask<Result>,
  result: Result,
): number => Math.min(maxResultLifetime, (getExpiry?.(result) ?? Infinity) * 1000 - Date.now())

/** Throws if the lease may be over before the task has used it. */
export type AssertLeaseHeld = () => void

/**
 * Runs a task while no other process runs one with the same key. Unlike {@link runOnceAndShare}, each caller runs its own.
 *
 * @param run receives a function to call before the task changes anything
 * @throws the error of the task, or of the store; TypeError when another process takes too long
 */
export async function runOneAtATime<Result>(
  leases: LeaseStore,
  key: string,
  run: (assertHeld: AssertLeaseHeld) => Promise<Result>,
): Promise<Result> {
  const lease: Lease = { key, holder: crypto.randomUUID(), lifetime: leaseDuration }
  const release = () => void retry(() => leases.releaseLease(lease), [100]).catch(() => undefined)
  try {
    await waitForLease(leases, lease)
    const grantedAt = Date.now() // a lease whose request took `storeTimeout` was not accepted
    return await run(() => {
      if (Date.now() - grantedAt < leaseDuration / 2) return
      throw new TypeError(`The store did not respond within ${leaseDuration / 2000} s`)
    })
  } finally {
    release() // if that fails, the lease expires
  }
}

/** Requests the lease until it is granted or completed. */
async function waitForLease(
  leases: LeaseStore,
  lease: Lease,
): Promise<Exclude<LeaseStatus, { state: "held" }>> {
  const deadline = Date.now() + maxWait
  for (let delay = initialDelay; ; delay = Math.min(delay * backoffFactor, maxDelay)) {
    const requestedAt = Date.now()
    const status = await retry(() => leases.acquireLease(lease), acquireDelays)
    const isFresh = Date.now() - requestedAt < storeTimeout
    if (status.state === "completed" || (status.state === "granted" && isFresh)) return status
    if (Date.now() + delay > deadline)
      throw new TypeError(`Another process did not finish within ${maxWait / 1000} s`)
    await sleep(delay)
  }
}

async function completeLease(
  leases: LeaseStore,
  lease: Lease,
  completedLease: Parameters<LeaseStore["completeLease"]>[0],
): Promise<void> {
  const complete = () => retry(() => leases.completeLease(completedLease))
  if (await complete()) return
  // The lease has expired, or the store has lost it. The next process would run the task again without the result.
  const { state } = await retry(() => leases.acquireLease(lease))
  if (state === "granted" && (await complete())) return
  throw new TypeError("The task took longer than its lease: another process may have run it, too")
}

/** Waits for an operation, but not for long: it continues in the background. */
export async function awaitCompletion(
  operation: Promise<void>,
  onError: LockedTask<object>["onError"],
): Promise<void> {
  const completion = operation.catch((error: unknown) => onError?.(error))
  await withTimeout(completionTimeout, completion, timeoutMessage).catch(() => undefined)
}

/**
 * Repeats an operation of the store that failed, by default for as long as a restart of the database takes. The operations
 * of a lease have the same result when repeated.
 */
export async function retry<Value>(
  operation: () => Awaitable<Value>,
  delays: readonly number[] = completionDelays,
): Promise<Value> {
  const tryOnce = () => withTimeout(storeTimeout, (async () => operation())(), timeoutMessage)
  for (const delay of delays) {
    try {
      return await tryOnce()
    } catch {
      await sleep(delay)
    }
  }
  return tryOnce()
}

const timeoutMessage = `The store of leases did not respond within ${storeTimeout / 1000} s`

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
