/** The stored results. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { BundleSizes } from "../cold/bundle-sizes.ts"
import type { ColdRounds } from "../cold/cold-measurement.ts"
import type { BenchResult } from "../rounds.ts"
import type { ScalingRounds } from "../scaling.ts"
import type { Machine } from "./machine.ts"

const requestResultsFile = "bench/results.json"
const coldResultsFile = "bench/cold/results.json"

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

/** All results. */
export interface StoredResults {
  readonly requests: BenchResults
  /** Undefined before the first measurement. */
  readonly cold: ColdResults | undefined
}

/** Reads the results of the latest measurements. */
export function readResults(): StoredResults {
  return {
    requests: JSON.parse(readFileSync(requestResultsFile, "utf8")),
    cold: existsSync(coldResultsFile)
      ? JSON.parse(readFileSync(coldResultsFile, "utf8"))
      : undefined,
  }
}

/** Replaces the results of requests. */
export function writeRequestResults(results: BenchResults): void {
  writeJson(requestResultsFile, results)
}

/** Replaces the results of fresh processes and bundles. */
export function writeColdResults(results: ColdResults): void {
  writeJson(coldResultsFile, results)
}

const writeJson = (file: string, results: object): void =>
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
