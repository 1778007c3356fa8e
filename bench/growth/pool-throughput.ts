/** What pools of different sizes get done when more is asked at once than they have connections. */
import type { GrowthDatabase } from "./database.ts"
import type { GrowthOptions } from "./options.ts"
import { percentile } from "./percentile.ts"
import { createWorkloads } from "./workloads.ts"

/** Sizes of the pool. */
const poolSizes = [1, 2, 4, 8, 16, 32] as const

/** How many session checks are under way at once. */
export const concurrentCallers = 64

/** What a pool got done in one round. */
export interface Throughput {
  /** Session checks in a second. */
  readonly perSecond: number
  /** How long one took of those that had to wait for a connection, too: 95 of 100 were faster. In microseconds. */
  readonly p95: number
}

/** Keeps pools busy with session checks. The keys of the answer are the sizes of the pools. */
export async function measurePoolThroughput(
  database: GrowthDatabase,
  sessionCount: number,
  { rounds, roundDuration }: GrowthOptions,
): Promise<Readonly<Record<number, readonly Throughput[]>>> {
  const results: Record<number, Throughput[]> = {}
  for (const poolSize of poolSizes) results[poolSize] = []
  for (let round = 0; round < rounds; round++) {
    for (const poolSize of poolSizes)
      results[poolSize]?.push(
        await measureThroughput(database, sessionCount, poolSize, roundDuration),
      )
  }
  return results
}

async function measureThroughput(
  database: GrowthDatabase,
  sessionCount: number,
  poolSize: number,
  slice: number,
): Promise<Throughput> {
  const pool = database.createPool(sessionCount, poolSize)
  const createRun = createWorkloads(pool, sessionCount)
  const durations: number[] = []
  async function callUntil(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      const run = createRun("check")
      const start = performance.now()
      await run()
      durations.push((performance.now() - start) * 1000)
    }
  }
  const runCallers = async (milliseconds: number) => {
    const deadline = performance.now() + milliseconds
    await Promise.all(Array.from({ length: concurrentCallers }, () => callUntil(deadline)))
  }
  // Opens the connections.
  await runCallers(slice / 5)
  durations.length = 0
  const start = performance.now()
  await runCallers(slice)
  const seconds = (performance.now() - start) / 1000
  await pool.end()
  return { perSecond: durations.length / seconds, p95: percentile(durations, 0.95) }
}
