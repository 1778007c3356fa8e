/** The stored results. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { BundleSizes } from "../cold/bundle-sizes.ts"
import type { ColdRounds } from "../cold/cold-measurement.ts"
import type { FrameworkRounds } from "../frameworks/catalogue.ts"
import type { LoadMeasurement } from "../load/subjects.ts"
import type { BenchResult } from "../rounds.ts"
import type { ScalingRounds } from "../scaling.ts"
import type { Machine } from "./machine.ts"

const requestResultsFile = "bench/results.json"
const coldResultsFile = "bench/cold/results.json"
const wrapResultsFile = "bench/wrap/results.json"
const busyResultsFile = "bench/busy/results.json"
const frameworkResultsFile = "bench/frameworks/results.json"
const loadResultsFile = "bench/load/results.json"

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

/** All results. */
export interface StoredResults {
  readonly requests: BenchResults
  /** Undefined before the first measurement. */
  readonly cold: ColdResults | undefined
  readonly wrap: WrapResults | undefined
  readonly busy: BusyResults | undefined
  readonly frameworks: FrameworkResults | undefined
  readonly load: LoadResults | undefined
}

/** Reads the results of the latest measurements. */
export function readResults(): StoredResults {
  return {
    requests: JSON.parse(readFileSync(requestResultsFile, "utf8")),
    cold: readIfExists(coldResultsFile),
    wrap: readIfExists(wrapResultsFile),
    busy: readIfExists(busyResultsFile),
    frameworks: readIfExists(frameworkResultsFile),
    load: readIfExists(loadResultsFile),
  }
}

/** Returns undefined before the first measurement. */
function readIfExists<Results>(file: string): Results | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
}

/** Replaces the results of requests. */
export function writeRequestResults(results: BenchResults): void {
  writeJson(requestResultsFile, results)
}

/** Replaces the results of fresh processes and bundles. */
export function writeColdResults(results: ColdResults): void {
  writeJson(coldResultsFile, results)
}

/** Replaces the results of wrapped requests. */
export function writeWrapResults(results: WrapResults): void {
  writeJson(wrapResultsFile, results)
}

/** Replaces the results of a busy machine. */
export function writeBusyResults(results: BusyResults): void {
  writeJson(busyResultsFile, results)
}

/** Replaces the results of pages of other frameworks. */
export function writeFrameworkResults(results: FrameworkResults): void {
  writeJson(frameworkResultsFile, results)
}

/** Replaces the results under load. */
export function writeLoadResults(results: LoadResults): void {
  writeJson(loadResultsFile, results)
}

const writeJson = (file: string, results: object): void =>
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
