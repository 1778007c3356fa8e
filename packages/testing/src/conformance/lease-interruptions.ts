import assert from "node:assert/strict"
import type { Lease, LeaseStore } from "@latchkey/core/adapters"
import type { ConformanceCase } from "./context.ts"
import { atEachMessage, interruption, type Operation, recovered } from "./interrupting.ts"
import {
  aLease,
  assertAnswer,
  contender,
  granted,
  held,
  leaseMethods,
  leasesOf,
  short,
  shortPassed,
} from "./lease-records.ts"

const leasing = { group: "interruption", needs: leaseMethods } as const

/** What an adapter promises about leases when the connection to the database breaks in the middle. */
export const leaseInterruptionCases: readonly ConformanceCase[] = [
  asking("can be repeated by the same holder", async (leases, lease) => {
    await recovered(() => assertAnswer(leases, lease, granted))
    await recovered(() => assertAnswer(leases, contender(lease), held))
    assert.equal(await leases.settleLease({ ...lease, result: "done" }), true)
  }),
  asking("never has two holders", async (leases, lease, outcome) => {
    const rival = await recovered(() => leases.acquireLease(contender(lease)))
    const again = await recovered(() => leases.acquireLease({ ...lease }))
    const isMine = outcome === "fulfilled" || again.state === "granted"
    assert.ok(!(isMine && rival.state === "granted"), "only one is granted the lease")
  }),
  interruption("settleLease", leasing, async (context) => {
    const leases = leasesOf(context)
    const lease = aLease()
    await assertAnswer(leases, lease, granted)
    return {
      run: async () => {
        assert.equal(await leases.settleLease({ ...lease, result: "done" }), true)
      },
      done: async () => {
        const answer = await leases.acquireLease(contender(lease))
        if (answer.state === "settled") assert.equal(answer.result, "done")
        assert.notEqual(answer.state, "granted", "the lease is still its holder's")
        return answer.state === "settled"
      },
    }
  }),
  interruption("releaseLease", leasing, async (context) => {
    const leases = leasesOf(context)
    const lease = aLease()
    const next = contender(lease)
    await assertAnswer(leases, lease, granted)
    return {
      run: () => leases.releaseLease({ key: lease.key, holder: lease.holder }),
      // Whoever is next has it from then on.
      done: async () => (await leases.acquireLease({ ...next })).state === "granted",
    }
  }),
]

/** A case about somebody who asks for a lease that nobody has, either never had or no longer. */
function asking(
  promise: string,
  look: (leases: LeaseStore, lease: Lease, outcome: "fulfilled" | "rejected") => Promise<void>,
): ConformanceCase {
  return {
    name: `acquireLease, interrupted anywhere, ${promise}`,
    group: "interruption",
    needs: [...leaseMethods, "interrupt"],
    run: async (context) => {
      const leases = leasesOf(context)
      for (const prepare of [async () => aLease(), () => overdue(leases)]) {
        await atEachMessage(
          context,
          async () => askingFor(leases, await prepare()),
          ({ lease }, outcome) => look(leases, lease, outcome),
        )
      }
    },
  }
}

function askingFor(leases: LeaseStore, lease: Lease): Operation & { readonly lease: Lease } {
  return { lease, run: () => assertAnswer(leases, lease, granted), done: () => true }
}

/** A lease that somebody else had. */
async function overdue(leases: LeaseStore): Promise<Lease> {
  const lease = aLease()
  await assertAnswer(leases, { ...contender(lease), lifetime: short }, granted)
  await shortPassed()
  return lease
}
