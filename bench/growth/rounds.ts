/** Works in rounds: within one, the sizes take turns, so that what disturbs it disturbs them all. */
import type { Pool } from "pg"
import type { GrowthDatabase } from "./database.ts"
import type { GrowthOptions } from "./options.ts"
import { percentile } from "./percentile.ts"
import { insertExpired, usersFor } from "./rows.ts"
import { expiredRows, type Run, runsOf, type WorkName, works, worksOn } from "./works.ts"

/** What one round showed of a work, in microseconds a run. */
export interface Measured {
  readonly p50: number
  readonly p95: number
  /** How long the processors worked in this process, the server's not counted. */
  readonly cpu: number
  readonly runs: number
}

/** Each work's rounds. */
export type Rounds = Readonly<Record<WorkName, readonly Measured[]>>

/** Measures every work for every number of sessions. The keys are those numbers. */
export async function measureWorks(
  database: GrowthDatabase,
  { sizes, rounds, runs }: GrowthOptions,
): Promise<Readonly<Record<number, Rounds>>> {
  const pools = new Map<number, Pool>(sizes.map((size) => [size, database.pool(size, 1)]))
  const subjects = sizes.map((size) => ({ size, make: worksOn(poolOf(pools, size), size) }))
  const results = Object.fromEntries(sizes.map((size) => [size, emptyRounds()]))
  for (let round = -1; round < rounds; round++) {
    for (const size of sizes) await expireSome(database, size)
    for (const work of works) {
      for (const { size, make } of subjects) {
        const prepared = Array.from({ length: runsOf(work, runs) }, () => make(work))
        const measured = await timed(prepared)
        // The first one warms up.
        if (round >= 0) results[size]?.[work].push(measured)
      }
    }
    console.log(`round ${round + 1} of ${rounds}`)
  }
  for (const pool of pools.values()) await pool.end()
  return results
}

function emptyRounds(): Record<WorkName, Measured[]> {
  // The keys are the names.
  return Object.fromEntries(works.map((work) => [work, []])) as unknown as Record<
    WorkName,
    Measured[]
  >
}

function poolOf(pools: ReadonlyMap<number, Pool>, size: number): Pool {
  const pool = pools.get(size)
  if (!pool) throw new TypeError(`There is no pool for ${size} sessions`)
  return pool
}

async function expireSome(database: GrowthDatabase, size: number): Promise<void> {
  await using client = await database.connectTo(size)
  await insertExpired(client, expiredRows, usersFor(size))
}

/** One run after the other. */
async function timed(runs: readonly Run[]): Promise<Measured> {
  const durations: number[] = []
  const cpu = process.cpuUsage()
  for (const run of runs) {
    const start = performance.now()
    await run()
    durations.push((performance.now() - start) * 1000)
  }
  const { user, system } = process.cpuUsage(cpu)
  return {
    p50: percentile(durations, 0.5),
    p95: percentile(durations, 0.95),
    cpu: (user + system) / runs.length,
    runs: runs.length,
  }
}
