import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { Lease, LeaseAnswer, LeaseStore } from "@latchkey/core/adapters"
import { type ConformanceContext, having } from "./context.ts"

/** The methods for leases. What asks for leases needs all of them. */
export const leaseMethods = ["acquireLease", "settleLease", "releaseLease"] as const

export const granted: LeaseAnswer = { state: "granted" }
export const held: LeaseAnswer = { state: "held" }

/** A lifetime that is waited for, in milliseconds. Nothing has to be done before it is over. */
export const short = 50

/** Waits until leases of that lifetime are over, by whichever clock. */
export function shortPassed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2 * short))
}

/** A lease that nobody has asked for yet, for longer than any case takes. */
export function aLease(): Lease {
  return { key: `test ${randomUUID()}`, holder: randomUUID(), lifetime: 600_000 }
}

/** Somebody else who asks for a lease. */
export function contender({ key, lifetime }: Lease): Lease {
  return { key, holder: randomUUID(), lifetime }
}

/** Gives the adapter's leases. @throws AssertionError when a method is missing */
export function leasesOf(context: ConformanceContext): LeaseStore {
  return having(context, ...leaseMethods)
}

/** Asks for a lease, and asserts what comes of it. */
export async function assertAnswer(
  leases: LeaseStore,
  lease: Lease,
  expected: LeaseAnswer,
): Promise<void> {
  assert.deepEqual({ ...(await leases.acquireLease({ ...lease })) }, expected)
}
