/**
 * Formats a numeric account id. Returns an empty string, which refuses the sign-in, for a number beyond the safe
 * integers: JSON parsing rounds such numbers, so different users would get the same id.
 */
export function formatNumericId(id: number): string {
  return typeof id === "number" && !Number.isSafeInteger(id) ? "" : String(id)
}
