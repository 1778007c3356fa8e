/** `npm run bench`: measures this library and others, and writes the results. */
import { writeFileSync } from "node:fs"
import { libraries } from "./libraries/libraries.ts"
import type { Library } from "./libraries/library.ts"
import { libraryIds as ids, type LibraryId } from "./libraries/library-names.ts"
import { type BenchOptions, parseOptions } from "./options.ts"
import type { Transport } from "./process/commands.ts"
import { HttpLoad } from "./process/http-load.ts"
import { describeMachine } from "./report/machine.ts"
import { renderMarkdown } from "./report/markdown.ts"
import { updateReports } from "./report/update-reports.ts"
import { measureLibraries } from "./rounds.ts"
import { workloadTitles } from "./workloads/workload.ts"

/** Returns the libraries that are measured with a transport. */
function findIds(transport: Transport): readonly LibraryId[] {
  return ids.filter((id) => {
    const { transports }: Library = libraries[id]
    return transports?.includes(transport) ?? true
  })
}

async function runBenchmarks(options: BenchOptions): Promise<void> {
  const packages = ids.flatMap((id) => [...libraries[id].packages])
  const machine = describeMachine(packages)
  console.log("In process")
  const inProcess = await measureLibraries(findIds("process"), "process", options)
  console.log("Over HTTP, through Express")
  const http = await measureLibraries(findIds("http"), "http", options)
  HttpLoad.closeConnections()
  if (options.writesResults) {
    const results = { machine, options, works: workloadTitles, process: inProcess, http }
    writeFileSync("bench/results.json", `${JSON.stringify(results, null, 2)}\n`)
    console.log(`\n${renderMarkdown(results)}\n`)
    updateReports()
  }
  const workloadCounts = [inProcess, http].map(({ rounds }) => Object.keys(rounds).length)
  console.log(
    `bench: ${ids.length} libraries, ${workloadCounts[0]} works in process, ${workloadCounts[1]} over HTTP`,
  )
}

await runBenchmarks(parseOptions(process.argv.slice(2)))
