/** Works in rounds: within one, the sizes take turns, so that what disturbs it disturbs them all. */
import type { Pool } from "pg"
import type { GrowthDatabase } from "./database.ts"
import type { GrowthOptions } from "./options.ts"
import { percentile } from "./percentile.ts"
import { countUsers, insertExpired } from "./rows.ts"
import {
  countRuns,
  createWorkloads,
  expiredRowCount,
  type RunWorkload,
  type WorkloadId,
  workloadIds,
} from "./workloads.ts"

/** What one round showed of a work, in microseconds a run. */
export interface RoundMeasurement {
  readonly p50: number
  readonly p95: number
  /** How long the processors worked in this process, the server's not counted. */
  readonly cpu: number
  readonly runCount: number
}

/** Each work's rounds. */
export type Rounds = Readonly<Record<WorkloadId, readonly RoundMeasurement[]>>

/** Measures every work for every number of sessions. The keys are those numbers. */
export async function measureWorkloads(
  database: GrowthDatabase,
  { sessionCounts, rounds, runs }: GrowthOptions,
): Promise<Readonly<Record<number, Rounds>>> {
  const pools = new Map<number, Pool>(
    sessionCounts.map((size) => [size, database.createPool(size, 1)]),
  )
  const subjects = sessionCounts.map((size) => ({
    size,
    make: createWorkloads(findPool(pools, size), size),
  }))
  const results = Object.fromEntries(sessionCounts.map((size) => [size, createEmptyRounds()]))
  for (let round = -1; round < rounds; round++) {
    for (const size of sessionCounts) await insertExpiredSessions(database, size)
    for (const work of workloadIds) {
      for (const { size, make } of subjects) {
        const preparedRuns = Array.from({ length: countRuns(work, runs) }, () => make(work))
        const measurement = await measureRuns(preparedRuns)
        // The first one warms up.
        if (round >= 0) results[size]?.[work].push(measurement)
      }
    }
    console.log(`round ${round + 1} of ${rounds}`)
  }
  for (const pool of pools.values()) await pool.end()
  return results
}

function createEmptyRounds(): Record<WorkloadId, RoundMeasurement[]> {
  // The keys are the names.
  return Object.fromEntries(workloadIds.map((work) => [work, []])) as unknown as Record<
    WorkloadId,
    RoundMeasurement[]
  >
}

function findPool(pools: ReadonlyMap<number, Pool>, size: number): Pool {
  const pool = pools.get(size)
  if (!pool) throw new TypeError(`There is no pool for ${size} sessions`)
  return pool
}

async function insertExpiredSessions(database: GrowthDatabase, size: number): Promise<void> {
  await using client = await database.connectToSize(size)
  await insertExpired(client, expiredRowCount, countUsers(size))
}

/** One run after the other. */
async function measureRuns(runs: readonly RunWorkload[]): Promise<RoundMeasurement> {
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
    runCount: runs.length,
  }
}
