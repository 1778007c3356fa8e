/** Counts what one operation of a workload creates and calls. */
import { type FigureId, type Figures, figureIds } from "./figures.ts"
import type { OpenWorkload, Operation } from "./open-workloads.ts"
import { countRun, warmUp } from "./run-operation.ts"

/** An odd number of runs, so that their median is a count. */
const runs = 21

/** Returns the counts of the usual operation: a few have more work, such as new random numbers for many operations. */
export async function countOperation(workload: OpenWorkload): Promise<Figures> {
  await warmUp(workload)
  const counted: Figures[] = []
  for (const operation of await workload.createOperations(runs))
    counted.push(await countFigures(operation))
  return Object.fromEntries(
    figureIds.map((id) => [id, findMedian(counted.map((one) => one[id] ?? 0))]),
  )
}

async function countFigures(operation: Operation): Promise<Figures> {
  const counts: Partial<Record<FigureId, number>> = {}
  await countRun(operation, (figure) => {
    counts[figure] = (counts[figure] ?? 0) + 1
  })
  return counts
}

function findMedian(counts: number[]): number {
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0
}
