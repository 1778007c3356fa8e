/** How many times as fast as Auth.js this library has to be. */
import type { Rounds } from "../rounds.ts"
import { type WorkloadId, workloadTitles } from "../workloads/workload.ts"
import { computeRatios, median } from "./statistics.ts"

const speedTargets = {
  w1: 15,
  // Shown without a target: a browser that has the session has the other cookies, too.
  w1Alone: undefined,
  w2: 10,
  // Shown without a target: everything below the libraries is the same.
  w2Shared: undefined,
  w2Alone: undefined,
  w5: 8,
  w7: 8,
} as const satisfies Partial<Record<WorkloadId, number | undefined>>

/** A target and the measured ratios. */
export interface SpeedResult {
  readonly workload: string
  /** `undefined` for a work that is shown only for comparison. */
  readonly target: number | undefined
  /** Median of the rounds. */
  readonly medianRatio: number
  readonly lowestRatio: number
  /** The median by processor time. */
  readonly cpuRatio: number
}

/** Compares the rounds with the targets. */
export function compareWithTargets(rounds: Rounds): readonly SpeedResult[] {
  return Object.entries(speedTargets).map(([id, target]) => {
    const workload = id as keyof typeof speedTargets // the keys of `speedTargets`
    const { latchkey = [], reference = [] } = rounds[workload] ?? {}
    const times = computeRatios(reference, latchkey, "time")
    const cpuRatio = median(computeRatios(reference, latchkey, "cpu"))
    return {
      workload: workloadTitles[workload],
      target,
      medianRatio: median(times),
      lowestRatio: Math.min(...times),
      cpuRatio,
    }
  })
}
