/**
 * Returns the smallest value that a given fraction of the values does not exceed.
 * @param fraction from 0 to 1
 * @throws TypeError if there are no values
 */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)]
  if (value === undefined) throw new TypeError("Nothing was measured")
  return value
}
