import type { BenchResult } from "../rounds.ts"
import type { Machine } from "./machine.ts"

/** The content of bench/results.json, as far as reports use it. */
export interface BenchResults {
  readonly machine: Machine
  readonly process: BenchResult
  readonly http: BenchResult
}
