/** How many times faster than the reference library this one has to be. */
import type { Rounds } from "../rounds.ts"
import { type WorkloadId, workloadTitles } from "../workloads/workload.ts"
import { computeRatios, median } from "./statistics.ts"

const speedTargets = {
  w1: 15,
  // Told beside W1 and W2: a browser that has the session has the other cookies, too.
  w1Alone: undefined,
  w2: 10,
  // Told beside W2: with everything below the libraries alike, nothing is promised.
  w2Shared: undefined,
  w2Alone: undefined,
  w5: 8,
  w7: 8,
} as const satisfies Partial<Record<WorkloadId, number | undefined>>

/** A floor, and where we are. */
export interface SpeedResult {
  readonly workload: string
  /** `undefined` for a work that is only told for comparison. */
  readonly target: number | undefined
  /** Median of the rounds. */
  readonly medianRatio: number
  readonly lowestRatio: number
  /** The same by what processors worked. */
  readonly cpuRatio: number
}

/** Compares with the floors. */
export function compareWithTargets(rounds: Rounds): readonly SpeedResult[] {
  return Object.entries(speedTargets).map(([id, target]) => {
    const workload = id as keyof typeof speedTargets // the keys of `floors`
    const { latchkey = [], reference = [] } = rounds[workload] ?? {}
    const times = computeRatios(reference, latchkey, "time")
    const cpuRatio = median(computeRatios(reference, latchkey, "cpu"))
    return {
      work: workloadTitles[workload],
      floor: target,
      reached: median(times),
      lowest: Math.min(...times),
      byCpu: cpuRatio,
    }
  })
}
