/** Runs operations of a workload until it behaves as it will from then on. */
import { setImmediate as waitForNextTurn } from "node:timers/promises"
import { type CountListener, listenToCounts } from "./counters.ts"
import type { OpenWorkload, Operation } from "./open-workloads.ts"

/** Loads modules, fills caches and prepares keys, which the first operations do, and checks a response. */
export async function warmUp(workload: OpenWorkload): Promise<void> {
  const operations = await workload.createOperations(50)
  for (const operation of operations.slice(1)) await runOperation(operation)
  for (const operation of operations.slice(0, 1)) await workload.check(await operation())
}

/** Runs an operation with all that it leaves behind for the same turn of the event loop. */
export async function runOperation(operation: Operation): Promise<void> {
  await operation()
  await waitForNextTurn()
}

/** Calls a function for each count of an operation. */
export async function countRun(operation: Operation, listener: CountListener): Promise<void> {
  await waitForNextTurn() // so that the caller awaits this function before anything is counted
  listenToCounts(listener)
  await runOperation(operation)
  listenToCounts(undefined)
}
