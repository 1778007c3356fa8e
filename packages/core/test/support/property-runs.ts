/**
 * Returns how often a property is tested: a fifth of the number in `npm test`, and all of it in `npm test -- --project
 * models`.
 */
export function propertyRuns(count: number): number {
  return process.env["LATCHKEY_COMPLETE"] === undefined ? Math.ceil(count / 5) : count
}
