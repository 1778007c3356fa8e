/**
 * Runs workloads in rounds. Within a round the sizes alternate, so that other work on the machine affects all of them.
 */
import type { Pool } from "pg"
import { printLine, showProgress } from "../progress.ts"
import type { GrowthDatabase } from "./database.ts"
import { formatCount } from "./format-count.ts"
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
  workloadTitles,
} from "./workloads.ts"

/** The result of one round, in microseconds per run. */
export interface RoundMeasurement {
  readonly p50: number
  readonly p95: number
  /** Processor time of this process, without the server. */
  readonly cpu: number
  readonly runCount: number
}

/** The rounds of each workload. */
export type Rounds = Readonly<Record<WorkloadId, readonly RoundMeasurement[]>>

/** Measures every workload for every number of sessions, which are the keys of the result. */
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
        showProgress(
          `round ${round + 1} of ${rounds}: ${workloadTitles[work]}, ${formatCount(size)} sessions`,
        )
        const preparedRuns = Array.from({ length: countRuns(work, runs) }, () => make(work))
        const measurement = await measureRuns(preparedRuns)
        // The first run is a warm-up.
        if (round >= 0) results[size]?.[work].push(measurement)
      }
    }
    printLine(`round ${round + 1} of ${rounds}`)
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

/** Runs sequentially. */
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
