/** Measures how much JavaScript memory one operation of a workload allocates. */
import type { Figures } from "./figures.ts"
import type { OpenWorkload } from "./open-workloads.ts"
import { runOperation, warmUp } from "./run-operation.ts"

/**
 * The flags of Node.js that make allocations repeatable. Code stays in the interpreter, because the compilers remove
 * allocations at a time that depends on the load of the machine; and no collection happens during a round, because
 * all of it fits into the young generation.
 */
export const repeatableFlags: readonly string[] = [
  "--no-opt",
  "--no-maglev",
  "--no-sparkplug",
  "--no-lazy-feedback-allocation",
  "--no-flush-bytecode",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--expose-gc",
]

const rounds = 5
const runsPerRound = 40

/** Returns the smallest of several rounds: other work of the process, such as compiling, can only add to it. */
export async function measureBytes(workload: OpenWorkload): Promise<Figures> {
  await warmUp(workload)
  const sizes: number[] = []
  while (sizes.length < rounds) sizes.push(await measureRound(workload))
  return { bytes: Math.round(Math.min(...sizes) / 100) * 100 }
}

async function measureRound(workload: OpenWorkload): Promise<number> {
  const operations = await workload.createOperations(runsPerRound)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (const operation of operations) await runOperation(operation)
  return (process.memoryUsage().heapUsed - before) / runsPerRound
}
