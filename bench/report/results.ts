/** The stored results. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { BundleSizes } from "../cold/bundle-sizes.ts"
import type { ColdRounds } from "../cold/cold-measurement.ts"
import type { FrameworkRounds } from "../frameworks/catalogue.ts"
import type { LoadMeasurement } from "../load/subjects.ts"
import type { BenchResult } from "../rounds.ts"
import type { ScalingRounds } from "../scaling.ts"
import type { Machine } from "./machine.ts"

/** By part of the benchmark. */
const files = {
  requests: "bench/results.json",
  cold: "bench/cold/results.json",
  wrap: "bench/wrap/results.json",
  busy: "bench/busy/results.json",
  frameworks: "bench/frameworks/results.json",
  load: "bench/load/results.json",
} as const

/** The content of bench/results.json, as far as reports use it. */
export interface BenchResults {
  readonly machine: Machine
  readonly process: BenchResult
  readonly http: BenchResult
  /** Results that were stored before it was measured lack it. */
  readonly scaling?: ScalingRounds
}

/** The content of bench/cold/results.json. */
export interface ColdResults {
  readonly machine: Machine
  readonly rounds: ColdRounds
  readonly bundles: BundleSizes
}

/** A round: microseconds for each request, without and with `wrap` of `@latchkey/fetch`. */
export interface WrapRound {
  readonly plain: number
  readonly wrapped: number
}

/** The content of bench/wrap/results.json. */
export interface WrapResults {
  readonly machine: Machine
  readonly rounds: readonly WrapRound[]
}

/** The content of bench/busy/results.json. */
export interface BusyResults {
  readonly machine: Machine
  /** The number of other processes that were busy. */
  readonly processCount: number
  readonly process: BenchResult
  readonly http: BenchResult
}

/** The content of bench/frameworks/results.json. */
export interface FrameworkResults {
  readonly machine: Machine
  readonly rounds: FrameworkRounds
}

/** The content of bench/load/results.json. */
export interface LoadResults {
  readonly machine: Machine
  readonly measurements: readonly LoadMeasurement[]
}

/** All results, by part of the benchmark. */
export interface StoredResults {
  readonly requests: BenchResults
  /** Undefined before the first measurement, like those below. */
  readonly cold: ColdResults | undefined
  readonly wrap: WrapResults | undefined
  readonly busy: BusyResults | undefined
  readonly frameworks: FrameworkResults | undefined
  readonly load: LoadResults | undefined
}

/** Reads the results of the latest measurements. */
export function readResults(): StoredResults {
  const read = (file: string) =>
    existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
  const entries = Object.entries(files).map(([part, file]) => [part, read(file)])
  return Object.fromEntries(entries) // `writeResults` wrote them
}

/** Replaces the results of a part. */
export function writeResults<Part extends keyof StoredResults>(
  part: Part,
  results: NonNullable<StoredResults[Part]>,
): void {
  writeFileSync(files[part], `${JSON.stringify(results, null, 2)}\n`)
}
