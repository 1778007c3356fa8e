/** `npm run bench`: measures this library and others, and writes the results. */
import { measureBusy } from "./busy/measure.ts"
import { measureCold } from "./cold/measure.ts"
import { measureFrameworks } from "./frameworks/measure.ts"
import { measureLoad } from "./load/measure.ts"
import { type BenchOptions, type PartName, parseOptions } from "./options.ts"
import { renderGoals } from "./report/goal-table.ts"
import { readResults } from "./report/results.ts"
import { updateReports } from "./report/update-reports.ts"
import { measureRequests } from "./requests.ts"
import { measureWrap } from "./wrap/measure.ts"

const measureParts: Readonly<Record<PartName, (options: BenchOptions) => Promise<string>>> = {
  requests: measureRequests,
  cold: measureCold,
  wrap: measureWrap,
  busy: measureBusy,
  frameworks: measureFrameworks,
  load: measureLoad,
}

const options = parseOptions(process.argv.slice(2))
const summaries: string[] = []
for (const part of options.parts) summaries.push(await measureParts[part](options))
if (options.writesResults) {
  updateReports()
  console.log(`\n${renderGoals(readResults())}\n`)
}
console.log(`bench: ${summaries.join(", ")}`)
