/** Formats a measurement for tables and charts. */
export function formatNumber(value: number): string {
  return value >= 20 ? value.toFixed(0) : value.toFixed(1)
}
