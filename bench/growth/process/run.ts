/** `npm run bench:growth -- process`: measures how cost grows within one process, and writes the results. */
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printLine, showProgress } from "../../progress.ts"
import { describeMachine } from "../../report/machine.ts"
import { updateReports } from "../../report/update-reports.ts"
import {
  type Dimension,
  dimensions,
  fullOptions,
  type MeasuredValues,
  type ProcessGrowthOptions,
  quickOptions,
} from "./dimensions.ts"
import { fillRecords } from "./records.ts"
import { renderProcessGrowth } from "./report.ts"
import {
  type DimensionResults,
  type ProcessGrowthResults,
  readResults,
  resultsFile,
} from "./results.ts"
import { fillRevocations } from "./revocations.ts"
import { fillSessions } from "./sessions.ts"

/** The dimensions whose rows are in SQLite. */
const fillDatabases: Readonly<
  Partial<Record<Dimension, (file: string, count: number) => Promise<void>>>
> = { sessions: fillSessions, records: fillRecords, revocations: fillRevocations }

const usage = `npm run bench:growth -- process [sessions|records|revocations|providers|tenants] [--quick]`

/**
 * Measures all dimensions, or the named ones.
 *
 * @throws TypeError for an unknown argument
 */
export async function runProcessGrowth(args: readonly string[]): Promise<void> {
  const options = args.includes("--quick") ? quickOptions : fullOptions
  const names = args.filter((each) => each !== "--quick")
  const unknown = names.find((name) => !dimensions.some((dimension) => dimension === name))
  if (unknown !== undefined) throw new TypeError(`There is no ${unknown}.\n\n${usage}`)
  const selected = dimensions.filter((each) => names.length === 0 || names.includes(each))
  const measured: Partial<Record<Dimension, DimensionResults>> = {}
  for (const dimension of selected) measured[dimension] = await measureDimension(dimension, options)
  printLine(`\n${renderProcessGrowth(measured)}\n`)
  if (options.writesResults) writeResults(measured)
}

/** Measures all numbers by turns, each time in a new process. */
async function measureDimension(
  dimension: Dimension,
  options: ProcessGrowthOptions,
): Promise<DimensionResults> {
  const machine = describeMachine(["@latchkey/core", "@latchkey/sql"])
  const counts = options.counts[dimension]
  const folder = await mkdtemp(join(tmpdir(), "latchkey-growth-"))
  const fileOf = (count: number) => join(folder, `${count}.db`)
  const rounds = Object.fromEntries(counts.map((count): [number, MeasuredValues[]] => [count, []]))
  try {
    const fill = fillDatabases[dimension]
    for (const count of fill ? counts : []) {
      showProgress(`filling ${count} ${dimension}`)
      await fill?.(fileOf(count), count)
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const count of counts) {
        showProgress(`round ${round + 1} of ${options.rounds}: ${count} ${dimension}`)
        // A measurement changes its rows, so each begins with a copy.
        const copy = join(folder, "measured.db")
        if (fill) copyFileSync(fileOf(count), copy)
        const values = measureInNewProcess(dimension, count, options.duration, copy)
        for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true })
        rounds[count]?.push(values)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { machine, rounds }
}

function measureInNewProcess(
  dimension: Dimension,
  count: number,
  duration: number,
  file: string,
): MeasuredValues {
  const subject = new URL("subject.ts", import.meta.url).pathname
  const args = ["--expose-gc", subject, dimension, String(count), String(duration), file]
  const env = { ...process.env, NODE_ENV: "production" }
  const output = execFileSync(process.execPath, args, { env, encoding: "utf8" })
  return JSON.parse(output)
}

/** Keeps the results of other dimensions. */
function writeResults(measured: ProcessGrowthResults): void {
  const earlier = existsSync(resultsFile) ? readResults() : {}
  writeFileSync(resultsFile, JSON.stringify({ ...earlier, ...measured }))
  // Formats the file as the rest of the repository.
  execFileSync("node_modules/.bin/biome", ["format", "--write", resultsFile])
  updateReports()
}
