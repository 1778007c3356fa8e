/**
 * Counts what one operation of each workload of the benchmark does (promises, jobs of the thread pool, hashes, bytes
 * and more), and compares the figures with `scripts/operation-budgets.json`. A figure that is higher is a problem, and a
 * lower one prints a hint.
 *
 * `--write` commits the figures and writes their table in `docs/performance.md`. `--explain w5` lists where the counts
 * of a workload come from, and which functions allocate its bytes.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { compareFigures, updateBudgets } from "./budgets/compare-figures.ts"
import { createBudgetTable } from "./budgets/create-budget-table.ts"
import { type FigureId, figureIds, figureTitles, type WorkloadFigures } from "./budgets/figures.ts"
import type { PlaceCounts, Places } from "./budgets/find-places.ts"
import { repeatableFlags } from "./budgets/measure-bytes.ts"
import { writeGeneratedSection } from "./generated-sections.ts"

const budgetFile = "scripts/operation-budgets.json"
const { values: options } = parseArgs({
  options: { write: { type: "boolean" }, explain: { type: "string" } },
})

if (options.explain !== undefined) explain(options.explain)
else if (options.write) writeBudgets(measureFigures())
else checkBudgets(measureFigures())

function checkBudgets(measured: WorkloadFigures): void {
  const { problems, improvements } = compareFigures(measured, readBudgets())
  for (const improvement of improvements) console.log(`  ${improvement}`)
  if (improvements.length > 0)
    console.log("`npm run check -- budgets --write` lowers the budgets to these figures.")
  for (const problem of problems) console.error(`✗ ${problem}`)
  if (problems.length > 0) {
    console.error(
      "`npm run check -- budgets --explain w5` lists where the counts of a workload come from.",
    )
    console.error(
      "If the change is intended, run `npm run check -- budgets --write`, and commit the files.",
    )
  }
  const figureCount = Object.keys(measured).length * figureIds.length
  console.log(`budgets: ${figureCount} figures, ${problems.length} problems`)
  process.exitCode = problems.length > 0 || figureCount === 0 ? 1 : 0
}

function writeBudgets(measured: WorkloadFigures): void {
  const budgets = updateBudgets(measured, readBudgets())
  writeFileSync(budgetFile, `${JSON.stringify(budgets, null, 2)}\n`)
  writeGeneratedSection("docs/performance.md", "budgets", createBudgetTable(budgets))
  console.log(`${budgetFile} written`)
}

function readBudgets(): WorkloadFigures {
  return JSON.parse(readFileSync(budgetFile, "utf8"))
}

function measureFigures(): WorkloadFigures {
  const counts: WorkloadFigures = runSubject(["counts"])
  const bytes: WorkloadFigures = runSubject(["bytes"], repeatableFlags)
  return Object.fromEntries(
    Object.entries(counts).map(([workload, figures]) => [
      workload,
      { ...figures, ...bytes[workload] },
    ]),
  )
}

function explain(workload: string): void {
  const { [workload]: places }: Record<string, Places> = runSubject(["places", workload])
  if (!places) throw new TypeError(`There is no workload ${workload}`)
  for (const id of figureIds) printPlaces(id, places[id])
  const allocations: Record<string, PlaceCounts> = runSubject(
    ["allocations", workload],
    repeatableFlags,
  )
  printPlaces("bytes", allocations[workload])
}

/** Prints the most important places, without those that have less than a hundredth of the total. */
function printPlaces(id: FigureId, counts: PlaceCounts = {}): void {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total > 0) console.log(`\n${total} ${figureTitles[id]}`)
  for (const [place, count] of Object.entries(counts).sort(([, a], [, b]) => b - a))
    if (count >= total / 100) console.log(`${String(count).padStart(7)}  ${place}`)
}

/** Runs `budgets/subject.ts` as in production, without variables or options of this process. */
function runSubject<Result>(args: readonly string[], flags: readonly string[] = []): Result {
  const subject = fileURLToPath(new URL("budgets/subject.ts", import.meta.url))
  const output = execFileSync(
    process.execPath,
    ["--conditions=@latchkey/source", ...flags, subject, ...args],
    { encoding: "utf8", env: { NODE_ENV: "production" }, stdio: ["ignore", "pipe", "inherit"] },
  )
  return JSON.parse(output)
}
