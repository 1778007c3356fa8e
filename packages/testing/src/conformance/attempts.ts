import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { AttemptStore } from "@latchkey/core/adapters"
import { type ConformanceCase, type ConformanceContext, requireMethods } from "./context.ts"
import { createRoundRobin } from "./processes.ts"

const attemptMethods = ["countAttempt", "resetAttempts"] as const

/** A window that outlives the case, and one whose end cases wait for, in seconds. */
const longWindow = 600
const shortWindow = 1

const buildKey = () => `test ${randomUUID()}`

function getAttemptStore(context: ConformanceContext): AttemptStore {
  return requireMethods(context, ...attemptMethods)
}

/** Waits until short windows have expired, by any clock. */
function waitForShortWindow(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, shortWindow * 1000 + 200))
}

async function assertCount(attempts: AttemptStore, key: string, expected: number): Promise<void> {
  assert.equal((await attempts.countAttempt(key, longWindow)).count, expected)
}

/** Requirements for counted attempts, without concurrency. */
export const attemptCases: readonly ConformanceCase[] = [
  createAttemptCase("countAttempt counts the attempts of each key", async (attempts) => {
    const [key, other] = [buildKey(), buildKey()]
    for (const expected of [1, 2, 3]) await assertCount(attempts, key, expected)
    await assertCount(attempts, other, 1)
    await assertCount(attempts, key, 4)
  }),
  createAttemptCase("countAttempt returns the end of the first window", async (attempts) => {
    const key = buildKey()
    const begin = Date.now()
    const { expires } = await attempts.countAttempt(key, longWindow)
    const end = Date.now()
    const tolerance = 1000
    assert.ok(expires instanceof Date, "`expires` is a Date")
    assert.ok(expires.getTime() >= begin + longWindow * 1000 - tolerance, "not too early")
    assert.ok(expires.getTime() <= end + longWindow * 1000 + tolerance, "not too late")
    const { expires: repeated } = await attempts.countAttempt(key, longWindow * 10)
    assert.ok(Math.abs(repeated.getTime() - expires.getTime()) <= tolerance, "the same window")
  }),
  createAttemptCase("countAttempt starts a new window after the old one", async (attempts) => {
    const key = buildKey()
    await attempts.countAttempt(key, shortWindow)
    await waitForShortWindow()
    await assertCount(attempts, key, 1)
    await assertCount(attempts, key, 2)
  }),
  createAttemptCase("resetAttempts forgets the attempts of one key", async (attempts) => {
    const [key, other] = [buildKey(), buildKey()]
    for (const each of [key, other]) await assertCount(attempts, each, 1)
    await attempts.resetAttempts(key)
    await attempts.resetAttempts(buildKey())
    await assertCount(attempts, key, 1)
    await assertCount(attempts, other, 2)
  }),
  createAttemptCase("countAttempt distinguishes keys by case and spaces", async (attempts) => {
    const key = `${buildKey()} a`
    for (const each of [key, key.toUpperCase(), `${key} `]) await assertCount(attempts, each, 1)
  }),
]

/** Requirements for concurrent attempts. */
export const attemptRaceCases: readonly ConformanceCase[] = [
  createAttemptRaceCase("of 64 concurrent calls of countAttempt, each counts one", async () => {}),
  createAttemptRaceCase(
    "of 64 concurrent calls of countAttempt after a window, each counts one",
    async (attempts, key) => {
      await attempts.countAttempt(key, shortWindow)
      await waitForShortWindow()
    },
  ),
]

function createAttemptCase(
  name: string,
  run: (attempts: AttemptStore) => Promise<void>,
): ConformanceCase {
  return {
    name,
    group: "optional",
    needs: attemptMethods,
    run: (context) => run(getAttemptStore(context)),
  }
}

function createAttemptRaceCase(
  name: string,
  prepare: (attempts: AttemptStore, key: string) => Promise<void>,
): ConformanceCase {
  return {
    name,
    group: "race",
    needs: attemptMethods,
    run: async (context) => {
      const adapter = getAttemptStore(context)
      const key = buildKey()
      await prepare(adapter, key)
      const second = getAttemptStore({ ...context, adapter: context.second ?? context.adapter })
      const storeAt = createRoundRobin<AttemptStore>({ adapter, second })
      const attempts = Array.from({ length: 64 }, async (_, at) =>
        storeAt(at).countAttempt(key, longWindow),
      )
      const counts = (await Promise.all(attempts)).map(({ count }) => count)
      const expected = Array.from({ length: 64 }, (_, at) => at + 1)
      assert.deepEqual(
        [...counts].sort((a, b) => a - b),
        expected,
        "each count occurs once",
      )
      await assertCount(adapter, key, 65)
    },
  }
}
