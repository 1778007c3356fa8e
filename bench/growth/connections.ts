/** What pools of different sizes get done when more is asked at once than they have connections. */
import type { GrowthDatabase } from "./database.ts"
import type { GrowthOptions } from "./options.ts"
import { percentile } from "./percentile.ts"
import { worksOn } from "./works.ts"

/** Sizes of the pool. */
const poolSizes = [1, 2, 4, 8, 16, 32] as const

/** How many session checks are under way at once. */
export const callers = 64

/** What a pool got done in one round. */
export interface Throughput {
  /** Session checks in a second. */
  readonly perSecond: number
  /** How long one took of those that had to wait for a connection, too: 95 of 100 were faster. In microseconds. */
  readonly p95: number
}

/** Keeps pools busy with session checks. The keys of the answer are the sizes of the pools. */
export async function measurePools(
  database: GrowthDatabase,
  size: number,
  { rounds, slice }: GrowthOptions,
): Promise<Readonly<Record<number, readonly Throughput[]>>> {
  const results: Record<number, Throughput[]> = {}
  for (const max of poolSizes) results[max] = []
  for (let round = 0; round < rounds; round++) {
    for (const max of poolSizes) results[max]?.push(await busy(database, size, max, slice))
  }
  return results
}

async function busy(
  database: GrowthDatabase,
  size: number,
  max: number,
  slice: number,
): Promise<Throughput> {
  const pool = database.pool(size, max)
  const make = worksOn(pool, size)
  const durations: number[] = []
  async function caller(until: number): Promise<void> {
    while (performance.now() < until) {
      const run = make("check")
      const start = performance.now()
      await run()
      durations.push((performance.now() - start) * 1000)
    }
  }
  const work = async (milliseconds: number) => {
    const until = performance.now() + milliseconds
    await Promise.all(Array.from({ length: callers }, () => caller(until)))
  }
  // Opens the connections.
  await work(slice / 5)
  durations.length = 0
  const start = performance.now()
  await work(slice)
  const seconds = (performance.now() - start) / 1000
  await pool.end()
  return { perSecond: durations.length / seconds, p95: percentile(durations, 0.95) }
}
