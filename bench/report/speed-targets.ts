/** How many times as fast as Auth.js this library must be. */
import type { Rounds } from "../rounds.ts"
import { type WorkloadId, workloadTitles } from "../workloads/workload.ts"
import { computeRatios, median } from "./statistics.ts"

const speedTargets = {
  w1: 15,
  // Without a target: browsers with a session have the other cookies, too.
  w1Alone: undefined,
  w2: 10,
  // Without a target: both libraries use the same adapter.
  w2Shared: undefined,
  w2Alone: undefined,
  w5: 8,
  w7: 8,
} as const satisfies Partial<Record<WorkloadId, number | undefined>>

/** A target and the measured ratios. */
export interface SpeedResult {
  readonly workload: string
  /** `undefined` for a workload without a target. */
  readonly target: number | undefined
  /** Median of the rounds. */
  readonly medianRatio: number
  readonly lowestRatio: number
  /** The median by processor time. */
  readonly cpuRatio: number
}

/** Compares the results with the targets. */
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
