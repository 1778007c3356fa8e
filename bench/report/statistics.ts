/** Statistics of several measurements. */
import type { Measurement } from "../process/commands.ts"
import type { ScalingRound } from "../scaling.ts"

/** The value of a measurement that is compared. */
export type Quantity = "time" | "cpu"

/** @throws TypeError if there are no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new TypeError("Nothing was measured")
  return (upper + lower) / 2
}

/**
 * Returns the ratios of two measurements, round by round, because other work on the machine affects a whole
 * round.
 */
export function computeRatios(
  slower: readonly Measurement[],
  faster: readonly Measurement[],
  quantity: Quantity,
): readonly number[] {
  return slower.flatMap((measurement, round) => {
    const baseline = faster[round]
    return baseline ? [measurement[quantity] / baseline[quantity]] : []
  })
}

/** Returns how many times as many runs several processes finish in the same time as one of them alone. */
export function computeScaling({ alone, together }: ScalingRound): number {
  return together.reduce((sum, { time }) => sum + alone.time / time, 0)
}

/** The median of ratios, and the lowest and highest round. */
export interface Spread {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

/** @throws TypeError if there are no values */
export function computeSpread(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) }
}
