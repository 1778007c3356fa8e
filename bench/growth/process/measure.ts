/** Measures processor time and memory of this process. */
import { median } from "../../report/statistics.ts"

/** The number of batches, of which the median counts. */
const batchCount = 5

/** Returns the processor time of a run in microseconds, of all threads, after a warm-up. */
export async function measureRuns(
  run: () => Promise<unknown>,
  duration: number,
  minimumWarmUp = 1,
): Promise<number> {
  let runCount = 0
  const end = performance.now() + duration
  while (performance.now() < end || runCount < minimumWarmUp) {
    await run()
    runCount += 1
  }
  const batchSize = Math.ceil(runCount / batchCount)
  const times: number[] = []
  while (times.length < batchCount) times.push(await measureBatch(run, batchSize))
  return median(times)
}

/** Returns the processor time of each of a number of runs, in microseconds. */
export async function measureBatch(run: () => Promise<unknown>, runs: number): Promise<number> {
  const cpu = process.cpuUsage()
  for (let index = 0; index < runs; index++) await run()
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / runs
}

/** Returns the memory in use in bytes, without garbage. The process needs `--expose-gc`. */
export function readMemory(): number {
  if (!globalThis.gc) throw new TypeError("Run Node.js with --expose-gc")
  // What the first run finalizes is collected by the second one.
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns the elements of a list by turns. */
export function createCycle<T>(list: readonly T[]): () => T {
  let index = 0
  return () => {
    const element = list[index++ % list.length]
    if (element === undefined) throw new TypeError("The list is empty")
    return element
  }
}
