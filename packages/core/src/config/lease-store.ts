/** Where processes agree which one runs a task. */
import type { LeaseStore } from "../adapters.ts"

/** Whether a value is a store of leases. */
export function hasLeases(value: unknown): value is LeaseStore {
  const { acquireLease, completeLease, releaseLease } = Object(value)
  return [acquireLease, completeLease, releaseLease].every((method) => typeof method === "function")
}
