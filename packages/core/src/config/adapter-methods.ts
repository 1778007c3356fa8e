/** Which methods an adapter has. */
import type { LeaseStore } from "../adapters.ts"

/** Returns those of the methods that an object lacks. */
export const findMissingMethods = <Name extends string>(
  object: unknown,
  methods: readonly Name[],
): Name[] => methods.filter((name) => typeof Object(object)[name] !== "function")

/** The methods of a store of leases. */
export const leaseMethods = ["acquireLease", "completeLease", "releaseLease"] as const

/** The methods of a store of second factors. */
export const factorMethods = [
  "createFactor",
  "listFactors",
  "updateFactor",
  "deleteFactor",
] as const

/** Whether a value is a store of leases. */
export const hasLeases = (value: unknown): value is LeaseStore =>
  findMissingMethods(value, leaseMethods).length === 0
