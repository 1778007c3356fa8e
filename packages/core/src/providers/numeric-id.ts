/**
 * The id of an account that a provider gives as a number. Beyond the safe integers JSON gives several people the same
 * one: it is left empty, which refuses the sign-in.
 */
export function formatNumericId(id: number): string {
  return typeof id === "number" && !Number.isSafeInteger(id) ? "" : String(id)
}
