/** Formats powers of ten, such as 1000000 as 10⁶. */
export function formatCount(count: number): string {
  const power = Math.log10(count)
  if (!Number.isInteger(power)) return String(count)
  return `10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`
}
