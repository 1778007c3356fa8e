import assert from "node:assert/strict"
import type { Lease, LeaseStore } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import {
  aLease,
  assertAnswer,
  contender,
  granted,
  leaseMethods,
  leasesOf,
  short,
  shortPassed,
} from "./lease-records.ts"
import { inTurn } from "./processes.ts"

/** What an adapter promises when many ask for a lease at once. */
export const leaseRaceCases: readonly ConformanceCase[] = [
  {
    name: "of 64 who ask for a lease at once, one gets it and the others are told that it is held",
    group: "race",
    needs: leaseMethods,
    run: (context) => assertOneGets(context, aLease()),
  },
  {
    name: "of 64 who ask at once for a lease whose lifetime is over, settled or not, one gets it",
    group: "race",
    needs: leaseMethods,
    run: async (context) => {
      const leases = leasesOf(context)
      const [left, settled] = [aLease(), aLease()]
      await assertAnswer(leases, { ...left, lifetime: short }, granted)
      await assertAnswer(leases, settled, granted)
      await leases.settleLease({ ...settled, lifetime: short, result: "old" })
      await shortPassed()
      for (const lease of [left, settled]) await assertOneGets(context, lease)
    },
  },
]

/** Asks 64 times at once, each time for another holder, and has the one that got the lease settle it. */
async function assertOneGets(context: ConformanceContext, lease: Lease): Promise<void> {
  const process = inTurn<LeaseStore>({
    adapter: leasesOf(context),
    second: leasesOf({ ...context, adapter: context.second ?? context.adapter }),
  })
  const contenders = Array.from({ length: 64 }, () => contender(lease))
  const asked = contenders.map(async (each, at) => process(at).acquireLease({ ...each }))
  const states = (await Promise.all(asked)).map(({ state }) => state)
  const expected = ["granted", ...Array.from({ length: 63 }, () => "held")]
  assert.deepEqual([...states].sort(), expected, "one of 64 gets it")
  const [winner = lease, loser = lease] = [true, false].map((won) =>
    contenders.find((_, at) => (states[at] === "granted") === won),
  )
  assert.equal(await leasesOf(context).settleLease({ ...winner, result: "done" }), true)
  await assertAnswer(leasesOf(context), loser, { state: "settled", result: "done" })
}
