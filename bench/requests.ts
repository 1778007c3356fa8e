/** Measures requests in process and over HTTP, and stores the results. */
import { libraries } from "./libraries/libraries.ts"
import type { Library } from "./libraries/library.ts"
import { libraryIds, limitIds, type SubjectId } from "./libraries/library-names.ts"
import type { BenchOptions } from "./options.ts"
import type { Transport } from "./process/commands.ts"
import { HttpLoad } from "./process/http-load.ts"
import { describeMachine } from "./report/machine.ts"
import { writeResults } from "./report/results.ts"
import { measureLibraries } from "./rounds.ts"
import { measureScaling } from "./scaling.ts"
import { workloadTitles } from "./workloads/workload.ts"

/** Returns the libraries that are measured with a transport. */
function findIds(transport: Transport): readonly SubjectId[] {
  return [...libraryIds, ...limitIds].filter((id) => {
    const { transports }: Library = libraries[id]
    return transports?.includes(transport) ?? true
  })
}

/** Returns a summary. */
export async function measureRequests(options: BenchOptions): Promise<string> {
  const machine = describeMachine(libraryIds.flatMap((id) => [...libraries[id].packages]))
  console.log("In process")
  const inProcess = await measureLibraries(findIds("process"), "process", options)
  const scaling = await measureScaling(options)
  console.log("Over HTTP, through Express")
  const http = await measureLibraries(findIds("http"), "http", options)
  HttpLoad.closeConnections()
  const results = { machine, options, works: workloadTitles, process: inProcess, http, scaling }
  if (options.writesResults) writeResults("requests", results)
  const [inProcessCount, httpCount] = [inProcess, http].map(
    ({ rounds }) => Object.keys(rounds).length,
  )
  return `${libraryIds.length} libraries, ${inProcessCount} works in process, ${httpCount} over HTTP`
}
