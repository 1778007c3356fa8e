import assert from "node:assert/strict"
import type { Lease, LeaseStore } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import {
  assertAcquireResult,
  buildCompetingLease,
  buildLease,
  getLeaseStore,
  grantedResult,
  leaseMethods,
  shortLifetime,
  waitForShortLifetime,
} from "./lease-fixtures.ts"
import { createRoundRobin } from "./processes.ts"

/** Requirements for concurrent requests for a lease. */
export const leaseRaceCases: readonly ConformanceCase[] = [
  {
    name: 'of 64 concurrent requests for a lease, one is granted it and the others get "held"',
    group: "race",
    needs: leaseMethods,
    run: (context) => assertOneIsGranted(context, buildLease()),
  },
  {
    name: "of 64 concurrent requests for an expired lease, with or without a result, one is granted it",
    group: "race",
    needs: leaseMethods,
    run: async (context) => {
      const leases = getLeaseStore(context)
      const [unclaimed, completed] = [buildLease(), buildLease()]
      await assertAcquireResult(leases, { ...unclaimed, lifetime: shortLifetime }, grantedResult)
      await assertAcquireResult(leases, completed, grantedResult)
      await leases.completeLease({ ...completed, lifetime: shortLifetime, result: "old" })
      await waitForShortLifetime()
      for (const lease of [unclaimed, completed]) await assertOneIsGranted(context, lease)
    },
  },
]

/** Requests a lease for 64 holders at once, and lets the one that gets it store a result. */
async function assertOneIsGranted(context: ConformanceContext, lease: Lease): Promise<void> {
  const storeAt = createRoundRobin<LeaseStore>({
    adapter: getLeaseStore(context),
    second: getLeaseStore({ ...context, adapter: context.second ?? context.adapter }),
  })
  const contenders = Array.from({ length: 64 }, () => buildCompetingLease(lease))
  const requests = contenders.map(async (each, at) => storeAt(at).acquireLease({ ...each }))
  const states = (await Promise.all(requests)).map(({ state }) => state)
  const expected = ["granted", ...Array.from({ length: 63 }, () => "held")]
  assert.deepEqual([...states].sort(), expected, "one of 64 requests is granted the lease")
  const [winner = lease, loser = lease] = [true, false].map((won) =>
    contenders.find((_, at) => (states[at] === "granted") === won),
  )
  assert.equal(await getLeaseStore(context).completeLease({ ...winner, result: "done" }), true)
  await assertAcquireResult(getLeaseStore(context), loser, { state: "completed", result: "done" })
}
