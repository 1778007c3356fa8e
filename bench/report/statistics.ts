/** The middle of several measurements. */
import type { Measurement } from "../process/commands.ts"

/** What of a measurement is looked at. */
export type Quantity = "time" | "cpu"

/** @throws TypeError for no values at all */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new TypeError("Nothing was measured")
  return (upper + lower) / 2
}

/** How many times longer the one took than the other, round by round: what disturbs a round disturbs both. */
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
