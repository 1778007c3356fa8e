import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { Lease, LeaseStatus, LeaseStore } from "@latchkey/core/adapters"
import { type ConformanceContext, requireMethods } from "./context.ts"

/** The methods for leases. What asks for leases needs all of them. */
export const leaseMethods = ["acquireLease", "completeLease", "releaseLease"] as const

export const grantedResult: LeaseStatus = { state: "granted" }
export const heldResult: LeaseStatus = { state: "held" }

/** A lifetime that is waited for, in milliseconds. Nothing has to be done before it is over. */
export const shortLifetime = 50

/** Waits until leases of that lifetime are over, by whichever clock. */
export function waitForShortLifetime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2 * shortLifetime))
}

/** A lease that nobody has asked for yet, for longer than any case takes. */
export function buildLease(): Lease {
  return { key: `test ${randomUUID()}`, holder: randomUUID(), lifetime: 600_000 }
}

/** Somebody else who asks for a lease. */
export function buildCompetingLease({ key, lifetime }: Lease): Lease {
  return { key, holder: randomUUID(), lifetime }
}

/** Gives the adapter's leases. @throws AssertionError when a method is missing */
export function getLeaseStore(context: ConformanceContext): LeaseStore {
  return requireMethods(context, ...leaseMethods)
}

/** Asks for a lease, and asserts what comes of it. */
export async function assertAcquireResult(
  leases: LeaseStore,
  lease: Lease,
  expected: LeaseStatus,
): Promise<void> {
  assert.deepEqual({ ...(await leases.acquireLease({ ...lease })) }, expected)
}
