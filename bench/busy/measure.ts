/**
 * `npm run bench -- busy`: measures requests again while other processes keep all processors busy, to see which ratios hold
 * on a machine that has other work to do.
 */
import { fork } from "node:child_process"
import { availableParallelism } from "node:os"
import { libraries } from "../libraries/libraries.ts"
import type { BenchOptions } from "../options.ts"
import { HttpLoad } from "../process/http-load.ts"
import { describeMachine } from "../report/machine.ts"
import { writeResults } from "../report/results.ts"
import { measureLibraries } from "../rounds.ts"
import { httpWorkloads, inProcessWorkloads } from "./workloads.ts"

const subjectIds = ["latchkey", "reference", "passport"] as const

/** How many busy processes there are for each processor. */
const loadFactor = 2

/** Returns a summary. */
export async function measureBusy(options: BenchOptions): Promise<string> {
  const machine = describeMachine(subjectIds.flatMap((id) => [...libraries[id].packages]))
  const processCount = loadFactor * availableParallelism()
  console.log(`Beside ${processCount} busy processes`)
  using _load = keepBusy(processCount)
  const inProcess = await measureLibraries(subjectIds, "process", options, inProcessWorkloads)
  const http = await measureLibraries(subjectIds, "http", options, httpWorkloads)
  HttpLoad.closeConnections()
  if (options.writesResults)
    writeResults("busy", { machine, processCount, process: inProcess, http })
  return `${Object.keys(inProcess.rounds).length} works on a busy machine`
}

/** Starts processes that compute until they are disposed of. */
function keepBusy(count: number): Disposable {
  const spinners = Array.from({ length: count }, () => fork(new URL("spin.ts", import.meta.url)))
  return {
    [Symbol.dispose]() {
      for (const spinner of spinners) spinner.kill("SIGKILL")
    },
  }
}
