/** The stored results. */
import { readFileSync } from "node:fs"
import type { Machine } from "../../report/machine.ts"
import type { Dimension, MeasuredValues } from "./dimensions.ts"

export const resultsFile = "bench/growth/process/results.json"

/** The measured values of a dimension by number, one for each round. */
export interface DimensionResults {
  readonly machine: Machine
  readonly rounds: Readonly<Record<string, readonly MeasuredValues[]>>
}

/** The results of all dimensions, which may have been measured one by one. */
export type ProcessGrowthResults = Readonly<Partial<Record<Dimension, DimensionResults>>>

/** @throws Error if there are none */
export function readResults(): ProcessGrowthResults {
  return JSON.parse(readFileSync(resultsFile, "utf8"))
}
