import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { LeaseStore } from "@latchkey/core/adapters"
import type { ConformanceCase } from "./context.ts"
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

/** What an adapter promises about leases, one caller at a time. */
export const leaseCases: readonly ConformanceCase[] = [
  about(
    "acquireLease grants what nobody has, and to nobody else while it lasts",
    async (leases) => {
      const lease = aLease()
      const rival = contender(lease)
      await assertAnswer(leases, lease, granted)
      await assertAnswer(leases, rival, held)
      // Asking again does not make it theirs.
      await assertAnswer(leases, rival, held)
      await assertAnswer(leases, contender(lease), held)
      await assertAnswer(leases, aLease(), granted)
    },
  ),
  about("acquireLease grants a lease to its holder again, and it lasts anew", async (leases) => {
    const lease = aLease()
    await assertAnswer(leases, { ...lease, lifetime: short }, granted)
    await assertAnswer(leases, lease, granted)
    await shortPassed()
    await assertAnswer(leases, contender(lease), held)
  }),
  about("a lease whose lifetime is over is nobody's, and granted to the next", async (leases) => {
    const [lost, left] = [aLease(), aLease()]
    const rival = contender(lost)
    await assertAnswer(leases, { ...lost, lifetime: short }, granted)
    await assertAnswer(leases, { ...left, lifetime: short }, granted)
    await shortPassed()
    await assertAnswer(leases, rival, granted)
    assert.equal(await leases.settleLease({ ...lost, result: "too late" }), false)
    await leases.releaseLease({ key: lost.key, holder: lost.holder })
    await assertAnswer(leases, lost, held)
    // Where nobody has taken it yet, its holder may still be in time; but not in word only.
    const result = "late"
    const inTime = await leases.settleLease({ ...left, result })
    await assertAnswer(leases, contender(left), inTime ? { state: "settled", result } : granted)
  }),
  about("a settled lease whose lifetime is over is granted, without its result", async (leases) => {
    const lease = aLease()
    await assertAnswer(leases, lease, granted)
    assert.equal(await leases.settleLease({ ...lease, lifetime: short, result: "old" }), true)
    await shortPassed()
    await assertAnswer(leases, contender(lease), granted)
    await assertAnswer(leases, contender(lease), held)
  }),
  about("settleLease leaves nothing where a lease is another's or nobody's", async (leases) => {
    const lease = aLease()
    const rival = contender(lease)
    assert.equal(await leases.settleLease({ ...lease, result: "nobody's" }), false)
    await assertAnswer(leases, rival, granted)
    assert.equal(await leases.settleLease({ ...lease, result: "not mine" }), false)
    await assertAnswer(leases, contender(lease), held)
    assert.equal(await leases.settleLease({ ...rival, result: "mine" }), true)
    assert.equal(await leases.settleLease({ ...lease, result: "not mine" }), false)
    await assertAnswer(leases, lease, { state: "settled", result: "mine" })
  }),
  about("a settled lease tells everybody its result, exactly, its holder too", async (leases) => {
    for (const result of results) {
      const lease = aLease()
      await assertAnswer(leases, lease, granted)
      assert.equal(await leases.settleLease({ ...lease, result }), true)
      await assertAnswer(leases, contender(lease), { state: "settled", result })
      await assertAnswer(leases, lease, { state: "settled", result })
    }
  }),
  about("settleLease may be repeated", async (leases) => {
    const lease = aLease()
    await assertAnswer(leases, lease, granted)
    assert.equal(await leases.settleLease({ ...lease, result: "done" }), true)
    assert.equal(await leases.settleLease({ ...lease, result: "done" }), true)
    await assertAnswer(leases, contender(lease), { state: "settled", result: "done" })
  }),
  about("releaseLease gives a lease back, for the next who asks", async (leases) => {
    const lease = aLease()
    await assertAnswer(leases, lease, granted)
    await leases.releaseLease({ key: lease.key, holder: lease.holder })
    assert.equal(await leases.settleLease({ ...lease, result: "too late" }), false)
    await assertAnswer(leases, contender(lease), granted)
    await assertAnswer(leases, lease, held)
  }),
  about("releaseLease leaves the lease of another alone, and a settled one", async (leases) => {
    const lease = aLease()
    const rival = contender(lease)
    await leases.releaseLease({ key: lease.key, holder: lease.holder })
    await assertAnswer(leases, lease, granted)
    await leases.releaseLease({ key: rival.key, holder: rival.holder })
    await assertAnswer(leases, rival, held)
    assert.equal(await leases.settleLease({ ...lease, result: "done" }), true)
    await leases.releaseLease({ key: lease.key, holder: lease.holder })
    await leases.releaseLease({ key: rival.key, holder: rival.holder })
    await assertAnswer(leases, rival, { state: "settled", result: "done" })
  }),
  about("leases whose keys differ by case or by a space are different leases", async (leases) => {
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
    for (const key of keys) await assertAnswer(leases, { ...aLease(), key }, granted)
    for (const key of keys) await assertAnswer(leases, { ...aLease(), key }, held)
  }),
  {
    name: "a lease that one adapter is granted is held for another, which gets the result",
    group: "processes",
    needs: [...leaseMethods, "second"],
    run: async (context) => {
      assert.ok(context.second, "connect gives a second adapter")
      const leases = leasesOf(context)
      const others = leasesOf({ ...context, adapter: context.second })
      const lease = aLease()
      await assertAnswer(leases, lease, granted)
      await assertAnswer(others, contender(lease), held)
      assert.equal(await leases.settleLease({ ...lease, result: "done" }), true)
      await assertAnswer(others, contender(lease), { state: "settled", result: "done" })
    },
  },
]

/** As long as a result may be, in bytes. */
const longestResult = 65_536
const odd = `{"it's": "\\"quoted\\"", "%s ? $1": [null]}\n\tžluťoučký 漢字 עברית 👩‍🚀`
const results = [
  odd,
  odd + "x".repeat(longestResult - Buffer.byteLength(odd)),
  "👩".repeat(longestResult / 4),
]

function about(name: string, run: (leases: LeaseStore) => Promise<void>): ConformanceCase {
  return { name, group: "optional", needs: leaseMethods, run: (context) => run(leasesOf(context)) }
}
