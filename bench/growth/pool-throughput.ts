/** Measures the throughput of pools of different sizes with more concurrent calls than connections. */
import { showProgress } from "../progress.ts"
import type { GrowthDatabase } from "./database.ts"
import type { GrowthOptions } from "./options.ts"
import { percentile } from "./percentile.ts"
import { createWorkloads } from "./workloads.ts"

/** The sizes of the pool. */
const poolSizes = [1, 2, 4, 8, 16, 32] as const

/** The number of concurrent session checks. */
export const concurrentCallers = 64

/** The result of a pool in one round. */
export interface Throughput {
  /** Session checks per second. */
  readonly perSecond: number
  /** The 95th percentile of the latency, including the wait for a connection, in microseconds. */
  readonly p95: number
}

/** Keeps pools busy with session checks. The keys of the result are the sizes. */
export async function measurePoolThroughput(
  database: GrowthDatabase,
  sessionCount: number,
  { rounds, roundDuration }: GrowthOptions,
): Promise<Readonly<Record<number, readonly Throughput[]>>> {
  const results: Record<number, Throughput[]> = {}
  for (const poolSize of poolSizes) results[poolSize] = []
  for (let round = 0; round < rounds; round++) {
    for (const poolSize of poolSizes) {
      showProgress(`round ${round + 1} of ${rounds}: ${poolSize} connections`)
      results[poolSize]?.push(
        await measureThroughput(database, sessionCount, poolSize, roundDuration),
      )
    }
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
