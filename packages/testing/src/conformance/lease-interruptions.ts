import assert from "node:assert/strict"
import type { Lease, LeaseStore } from "@latchkey/core/adapters"
import type { ConformanceCase } from "./context.ts"
import {
  createInterruptionCase,
  interruptAtEachMessage,
  type Operation,
  retryUntilRecovered,
} from "./interruption-runner.ts"
import {
  assertAcquireResult,
  buildCompetingLease,
  buildLease,
  getLeaseStore,
  grantedResult,
  heldResult,
  leaseMethods,
  shortLifetime,
  waitForShortLifetime,
} from "./lease-fixtures.ts"

const leaseCaseOptions = { group: "interruption", needs: leaseMethods } as const

/** Requirements for leases if the connection breaks during an operation. */
export const leaseInterruptionCases: readonly ConformanceCase[] = [
  createAcquireCase("can be repeated by the same holder", async (leases, lease) => {
    await retryUntilRecovered(() => assertAcquireResult(leases, lease, grantedResult))
    await retryUntilRecovered(() =>
      assertAcquireResult(leases, buildCompetingLease(lease), heldResult),
    )
    assert.equal(await leases.completeLease({ ...lease, result: "done" }), true)
  }),
  createAcquireCase("never has two holders", async (leases, lease, outcome) => {
    const competingResult = await retryUntilRecovered(() =>
      leases.acquireLease(buildCompetingLease(lease)),
    )
    const repeatedResult = await retryUntilRecovered(() => leases.acquireLease({ ...lease }))
    const isHolder = outcome === "fulfilled" || repeatedResult.state === "granted"
    assert.ok(!(isHolder && competingResult.state === "granted"), "only one is granted the lease")
  }),
  createInterruptionCase("completeLease", leaseCaseOptions, async (context) => {
    const leases = getLeaseStore(context)
    const lease = buildLease()
    await assertAcquireResult(leases, lease, grantedResult)
    return {
      run: async () => {
        assert.equal(await leases.completeLease({ ...lease, result: "done" }), true)
      },
      done: async () => {
        const result = await leases.acquireLease(buildCompetingLease(lease))
        if (result.state === "completed") assert.equal(result.result, "done")
        assert.notEqual(result.state, "granted", "the lease still belongs to its holder")
        return result.state === "completed"
      },
    }
  }),
  createInterruptionCase("releaseLease", leaseCaseOptions, async (context) => {
    const leases = getLeaseStore(context)
    const lease = buildLease()
    const competingLease = buildCompetingLease(lease)
    await assertAcquireResult(leases, lease, grantedResult)
    return {
      run: () => leases.releaseLease({ key: lease.key, holder: lease.holder }),
      // If this succeeds, the competitor holds the lease from then on.
      done: async () => (await leases.acquireLease({ ...competingLease })).state === "granted",
    }
  }),
]

/** Creates a case for acquiring a lease that is new or expired. */
function createAcquireCase(
  expectation: string,
  check: (leases: LeaseStore, lease: Lease, outcome: "fulfilled" | "rejected") => Promise<void>,
): ConformanceCase {
  return {
    name: `acquireLease, interrupted, ${expectation}`,
    group: "interruption",
    needs: [...leaseMethods, "interrupt"],
    run: async (context) => {
      const leases = getLeaseStore(context)
      for (const prepare of [async () => buildLease(), () => createExpiredLease(leases)]) {
        await interruptAtEachMessage(
          context,
          async () => createAcquireOperation(leases, await prepare()),
          ({ lease }, outcome) => check(leases, lease, outcome),
        )
      }
    },
  }
}

function createAcquireOperation(
  leases: LeaseStore,
  lease: Lease,
): Operation & { readonly lease: Lease } {
  return { lease, run: () => assertAcquireResult(leases, lease, grantedResult), done: () => true }
}

/** Creates a lease of another holder that has expired. */
async function createExpiredLease(leases: LeaseStore): Promise<Lease> {
  const lease = buildLease()
  await assertAcquireResult(
    leases,
    { ...buildCompetingLease(lease), lifetime: shortLifetime },
    grantedResult,
  )
  await waitForShortLifetime()
  return lease
}
