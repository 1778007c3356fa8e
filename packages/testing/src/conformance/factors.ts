import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { AdapterFactor, FactorStore } from "@latchkey/core/adapters"
import { type ConformanceCase, type ConformanceContext, requireMethods } from "./context.ts"
import { createRoundRobin } from "./processes.ts"
import { secondsFromNow, storeUser } from "./record-fixtures.ts"

const factorMethods = ["createFactor", "listFactors", "updateFactor", "deleteFactor"] as const

/** The greatest lengths: of ids and methods in characters, and of the data in bytes. */
const maxIdLength = 64
const maxMethodLength = 32
const maxDataLength = 8192

const getFactorStore = (context: ConformanceContext): FactorStore =>
  requireMethods(context, ...factorMethods)

function buildFactor(userId: string, changes: Partial<AdapterFactor> = {}): AdapterFactor {
  const id = randomUUID()
  const createdAt = secondsFromNow(0)
  return { id, userId, method: "totp", createdAt, version: 0, data: `sealed ${id}`, ...changes }
}

async function storeFactor(
  factors: FactorStore,
  userId: string,
  changes: Partial<AdapterFactor> = {},
): Promise<AdapterFactor> {
  const factor = buildFactor(userId, changes)
  await factors.createFactor({ ...factor })
  return factor
}

async function assertFactors(
  factors: FactorStore,
  userId: string,
  expected: readonly AdapterFactor[],
): Promise<void> {
  const listed = await factors.listFactors(userId)
  assert.deepEqual(
    listed.map((factor) => ({ ...factor })),
    [...expected],
  )
}

/** Requirements for second factors, without concurrency. */
export const factorCases: readonly ConformanceCase[] = [
  createFactorCase(
    "listFactors returns the factors of one user unchanged, the oldest first",
    async (factors, userId) => {
      const other = randomUUID()
      await assertFactors(factors, userId, [])
      const newer = await storeFactor(factors, userId, { createdAt: secondsFromNow(2) })
      const older = await storeFactor(factors, userId, {
        id: randomUUID().padEnd(maxIdLength, "i"),
        method: "m".repeat(maxMethodLength),
        data: "👩".repeat(maxDataLength / 4),
        version: 7,
      })
      const foreign = await storeFactor(factors, other)
      await assertFactors(factors, userId, [older, newer])
      await assertFactors(factors, other, [foreign])
    },
  ),
  createFactorCase("createFactor refuses an id that exists", async (factors, userId) => {
    const factor = await storeFactor(factors, userId)
    await assert.rejects(async () => factors.createFactor(buildFactor(userId, { id: factor.id })))
    await assertFactors(factors, userId, [factor])
  }),
  createFactorCase(
    "updateFactor replaces the data of the given version, and of no other",
    async (factors, userId) => {
      const factor = await storeFactor(factors, userId)
      const other = await storeFactor(factors, userId, { createdAt: secondsFromNow(1) })
      const { id } = factor
      assert.equal(await factors.updateFactor({ id, version: 1, data: "too early" }), false)
      assert.equal(await factors.updateFactor({ id, version: 0, data: "second" }), true)
      assert.equal(await factors.updateFactor({ id, version: 0, data: "too late" }), false)
      await assertFactors(factors, userId, [{ ...factor, version: 1, data: "second" }, other])
      // Some databases do not count rows that had these values before.
      assert.equal(await factors.updateFactor({ id, version: 1, data: "second" }), true)
      await assertFactors(factors, userId, [{ ...factor, version: 2, data: "second" }, other])
      assert.equal(
        await factors.updateFactor({ id: randomUUID(), version: 0, data: "none" }),
        false,
      )
    },
  ),
  createFactorCase("deleteFactor deletes one factor, once", async (factors, userId) => {
    const factor = await storeFactor(factors, userId)
    const other = await storeFactor(factors, userId)
    assert.equal(await factors.deleteFactor(factor.id), true)
    assert.equal(await factors.deleteFactor(factor.id), false)
    await assertFactors(factors, userId, [other])
    const { id, version } = factor
    assert.equal(await factors.updateFactor({ id, version, data: "revived" }), false)
    await assertFactors(factors, userId, [other])
  }),
  {
    name: "deleteUser deletes the factors of the user, and of nobody else",
    group: "optional",
    needs: [...factorMethods, "deleteUser"],
    run: async (context) => {
      const factors = getFactorStore(context)
      const adapter = requireMethods(context, "deleteUser")
      const [user, other] = [await storeUser(context), await storeUser(context)]
      await storeFactor(factors, String(user.id))
      const kept = await storeFactor(factors, String(other.id))
      await adapter.deleteUser(user.id)
      await assertFactors(factors, String(user.id), [])
      await assertFactors(factors, String(other.id), [kept])
    },
  },
]

/** Requirements for concurrent changes of second factors. */
export const factorRaceCases: readonly ConformanceCase[] = [
  createFactorRaceCase("updateFactor of one version", async (factors, { id, version }, at) =>
    factors.updateFactor({ id, version, data: `data ${at}` }),
  ),
  createFactorRaceCase("deleteFactor", async (factors, { id }) => factors.deleteFactor(id)),
]

function createFactorCase(
  name: string,
  run: (factors: FactorStore, userId: string) => Promise<void>,
): ConformanceCase {
  return {
    name,
    group: "optional",
    needs: factorMethods,
    run: (context) => run(getFactorStore(context), randomUUID()),
  }
}

function createFactorRaceCase(
  name: string,
  change: (factors: FactorStore, factor: AdapterFactor, at: number) => Promise<boolean>,
): ConformanceCase {
  return {
    name: `of 64 concurrent calls of ${name}, exactly one returns true`,
    group: "race",
    needs: factorMethods,
    run: async (context) => {
      const adapter = getFactorStore(context)
      const second = getFactorStore({ ...context, adapter: context.second ?? context.adapter })
      const factor = await storeFactor(adapter, randomUUID())
      const storeAt = createRoundRobin<FactorStore>({ adapter, second })
      const calls = Array.from({ length: 64 }, async (_, at) => change(storeAt(at), factor, at))
      const results = await Promise.all(calls)
      assert.equal(results.filter((result) => result === true).length, 1)
      assert.equal(results.filter((result) => result === false).length, 63)
    },
  }
}
