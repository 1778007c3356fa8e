import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { LeaseStore } from "@latchkey/core/adapters"
import type { ConformanceCase } from "./context.ts"
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

/** Requirements for leases, without concurrency. */
export const leaseCases: readonly ConformanceCase[] = [
  createLeaseCase(
    "acquireLease grants a free lease, and to nobody else until it expires",
    async (leases) => {
      const lease = buildLease()
      const competingLease = buildCompetingLease(lease)
      await assertAcquireResult(leases, lease, grantedResult)
      await assertAcquireResult(leases, competingLease, heldResult)
      // Asking again must not change the holder.
      await assertAcquireResult(leases, competingLease, heldResult)
      await assertAcquireResult(leases, buildCompetingLease(lease), heldResult)
      await assertAcquireResult(leases, buildLease(), grantedResult)
    },
  ),
  createLeaseCase("acquireLease renews a lease for its holder", async (leases) => {
    const lease = buildLease()
    await assertAcquireResult(leases, { ...lease, lifetime: shortLifetime }, grantedResult)
    await assertAcquireResult(leases, lease, grantedResult)
    await waitForShortLifetime()
    await assertAcquireResult(leases, buildCompetingLease(lease), heldResult)
  }),
  createLeaseCase("an expired lease is granted to the next holder", async (leases) => {
    const [takenOver, unclaimed] = [buildLease(), buildLease()]
    const competingLease = buildCompetingLease(takenOver)
    await assertAcquireResult(leases, { ...takenOver, lifetime: shortLifetime }, grantedResult)
    await assertAcquireResult(leases, { ...unclaimed, lifetime: shortLifetime }, grantedResult)
    await waitForShortLifetime()
    await assertAcquireResult(leases, competingLease, grantedResult)
    assert.equal(await leases.completeLease({ ...takenOver, result: "too late" }), false)
    await leases.releaseLease({ key: takenOver.key, holder: takenOver.holder })
    await assertAcquireResult(leases, takenOver, heldResult)
    // If nobody else has acquired it, the adapter may still accept the result; but then it must have stored it.
    const result = "late"
    const wasCompleted = await leases.completeLease({ ...unclaimed, result })
    await assertAcquireResult(
      leases,
      buildCompetingLease(unclaimed),
      wasCompleted ? { state: "completed", result } : grantedResult,
    )
  }),
  createLeaseCase(
    "an expired lease with a result is granted again, without the result",
    async (leases) => {
      const lease = buildLease()
      await assertAcquireResult(leases, lease, grantedResult)
      assert.equal(
        await leases.completeLease({ ...lease, lifetime: shortLifetime, result: "old" }),
        true,
      )
      await waitForShortLifetime()
      await assertAcquireResult(leases, buildCompetingLease(lease), grantedResult)
      await assertAcquireResult(leases, buildCompetingLease(lease), heldResult)
    },
  ),
  createLeaseCase(
    "completeLease stores no result for a lease of another holder, or of nobody",
    async (leases) => {
      const lease = buildLease()
      const competingLease = buildCompetingLease(lease)
      assert.equal(await leases.completeLease({ ...lease, result: "nobody's" }), false)
      await assertAcquireResult(leases, competingLease, grantedResult)
      assert.equal(await leases.completeLease({ ...lease, result: "not mine" }), false)
      await assertAcquireResult(leases, buildCompetingLease(lease), heldResult)
      assert.equal(await leases.completeLease({ ...competingLease, result: "mine" }), true)
      assert.equal(await leases.completeLease({ ...lease, result: "not mine" }), false)
      await assertAcquireResult(leases, lease, { state: "completed", result: "mine" })
    },
  ),
  createLeaseCase(
    "a lease with a result returns exactly that result to everybody",
    async (leases) => {
      for (const result of leaseResults) {
        const lease = buildLease()
        await assertAcquireResult(leases, lease, grantedResult)
        assert.equal(await leases.completeLease({ ...lease, result }), true)
        await assertAcquireResult(leases, buildCompetingLease(lease), {
          state: "completed",
          result,
        })
        await assertAcquireResult(leases, lease, { state: "completed", result })
      }
    },
  ),
  createLeaseCase("completeLease may be repeated", async (leases) => {
    const lease = buildLease()
    await assertAcquireResult(leases, lease, grantedResult)
    assert.equal(await leases.completeLease({ ...lease, result: "done" }), true)
    assert.equal(await leases.completeLease({ ...lease, result: "done" }), true)
    await assertAcquireResult(leases, buildCompetingLease(lease), {
      state: "completed",
      result: "done",
    })
  }),
  createLeaseCase("releaseLease frees a lease for the next holder", async (leases) => {
    const lease = buildLease()
    await assertAcquireResult(leases, lease, grantedResult)
    await leases.releaseLease({ key: lease.key, holder: lease.holder })
    assert.equal(await leases.completeLease({ ...lease, result: "too late" }), false)
    await assertAcquireResult(leases, buildCompetingLease(lease), grantedResult)
    await assertAcquireResult(leases, lease, heldResult)
  }),
  createLeaseCase(
    "releaseLease keeps leases of other holders, and leases with a result",
    async (leases) => {
      const lease = buildLease()
      const competingLease = buildCompetingLease(lease)
      await leases.releaseLease({ key: lease.key, holder: lease.holder })
      await assertAcquireResult(leases, lease, grantedResult)
      await leases.releaseLease({ key: competingLease.key, holder: competingLease.holder })
      await assertAcquireResult(leases, competingLease, heldResult)
      assert.equal(await leases.completeLease({ ...lease, result: "done" }), true)
      await leases.releaseLease({ key: lease.key, holder: lease.holder })
      await leases.releaseLease({ key: competingLease.key, holder: competingLease.holder })
      await assertAcquireResult(leases, competingLease, { state: "completed", result: "done" })
    },
  ),
  createLeaseCase(
    "leases whose keys differ by case or by a space are different leases",
    async (leases) => {
      const name = randomUUID()
      const longest = name.padEnd(254, "k")
      const keys = [
        `${name} a`,
        `${name} A`,
        `${name}  a`,
        `${name} a `,
        `${longest}x`,
        `${longest}X`,
      ]
      for (const key of keys)
        await assertAcquireResult(leases, { ...buildLease(), key }, grantedResult)
      for (const key of keys)
        await assertAcquireResult(leases, { ...buildLease(), key }, heldResult)
    },
  ),
  {
    name: "another adapter sees a lease as held, and gets its result",
    group: "processes",
    needs: [...leaseMethods, "second"],
    run: async (context) => {
      assert.ok(context.second, "the context has a second adapter")
      const leases = getLeaseStore(context)
      const otherLeases = getLeaseStore({ ...context, adapter: context.second })
      const lease = buildLease()
      await assertAcquireResult(leases, lease, grantedResult)
      await assertAcquireResult(otherLeases, buildCompetingLease(lease), heldResult)
      assert.equal(await leases.completeLease({ ...lease, result: "done" }), true)
      await assertAcquireResult(otherLeases, buildCompetingLease(lease), {
        state: "completed",
        result: "done",
      })
    },
  },
]

/** Maximum length of a result, in bytes. */
const maxResultLength = 65_536
const unusualText = `{"it's": "\\"quoted\\"", "%s ? $1": [null]}\n\tžluťoučký 漢字 עברית 👩‍🚀`
const leaseResults = [
  unusualText,
  unusualText + "x".repeat(maxResultLength - Buffer.byteLength(unusualText)),
  "👩".repeat(maxResultLength / 4),
]

function createLeaseCase(
  name: string,
  run: (leases: LeaseStore) => Promise<void>,
): ConformanceCase {
  return {
    name,
    group: "optional",
    needs: leaseMethods,
    run: (context) => run(getLeaseStore(context)),
  }
}
