/**
 * The smallest of some values that so large a part of them does not exceed.
 * @param fraction from 0 to 1
 * @throws TypeError for no values at all
 */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)]
  if (value === undefined) throw new TypeError("Nothing was measured")
  return value
}
