import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { Lease, LeaseStatus, LeaseStore } from "@latchkey/core/adapters"
import { type ConformanceContext, requireMethods } from "./context.ts"

/** The methods for leases, which are needed together. */
export const leaseMethods = ["acquireLease", "completeLease", "releaseLease"] as const

export const grantedResult: LeaseStatus = { state: "granted" }
export const heldResult: LeaseStatus = { state: "held" }

/** A lifetime whose end cases wait for, in milliseconds. No case depends on being faster. */
export const shortLifetime = 50

/** Waits until leases of that lifetime have expired, by any clock. */
export function waitForShortLifetime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2 * shortLifetime))
}

/** Creates a new lease that outlives the case. */
export function buildLease(): Lease {
  return { key: `test ${randomUUID()}`, holder: randomUUID(), lifetime: 600_000 }
}

/** Creates the request of another holder for the same lease. */
export function buildCompetingLease({ key, lifetime }: Lease): Lease {
  return { key, holder: randomUUID(), lifetime }
}

/** Returns the adapter's methods for leases. @throws AssertionError if one is missing */
export function getLeaseStore(context: ConformanceContext): LeaseStore {
  return requireMethods(context, ...leaseMethods)
}

/** Requests a lease, and asserts the result. */
export async function assertAcquireResult(
  leases: LeaseStore,
  lease: Lease,
  expected: LeaseStatus,
): Promise<void> {
  assert.deepEqual({ ...(await leases.acquireLease({ ...lease })) }, expected)
}
