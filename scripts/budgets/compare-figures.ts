/** Compares the figures of operations with their budgets. */
import { type FigureId, type Figures, figureIds, type WorkloadFigures } from "./figures.ts"

/**
 * How far a figure may be from its budget, as a part of it. Counts were the same in 20 of 20 runs on a machine with six
 * times as many busy processes as cores; bytes differed by up to 0.7 %, and this is seven times as much.
 */
const tolerances: Figures = { bytes: 0.05 }

const isWithin = (id: FigureId, measured: number, budget: number): boolean =>
  Math.abs(measured - budget) <= budget * (tolerances[id] ?? 0)

/** A sentence for each figure over its budget, or without one, and for each figure that is clearly below. */
export interface Comparison {
  readonly problems: readonly string[]
  readonly improvements: readonly string[]
}

/** Compares each figure of each workload with its budget. */
export function compareFigures(measured: WorkloadFigures, budgets: WorkloadFigures): Comparison {
  const problems: string[] = []
  const improvements: string[] = []
  for (const workload of new Set([...Object.keys(measured), ...Object.keys(budgets)])) {
    const [figures, limits] = [measured[workload], budgets[workload]]
    if (!figures) problems.push(`${workload}: has a budget but was not measured`)
    else if (!limits) problems.push(`${workload}: has no budget`)
    else
      for (const id of figureIds) {
        const [figure, budget] = [figures[id] ?? 0, limits[id] ?? 0]
        if (isWithin(id, figure, budget)) continue
        if (figure > budget)
          problems.push(`${workload}: ${figure} ${id}, over its budget of ${budget}`)
        else improvements.push(`${workload}: ${figure} ${id}, under its budget of ${budget}`)
      }
  }
  return { problems, improvements }
}

/** Returns the budgets for measured figures. A budget that still holds stays, so that bytes do not change each time. */
export function updateBudgets(
  measured: WorkloadFigures,
  budgets: WorkloadFigures,
): WorkloadFigures {
  return Object.fromEntries(
    Object.entries(measured).map(([workload, figures]) => [
      workload,
      Object.fromEntries(
        figureIds
          .map((id) => [id, updateBudget(id, figures[id] ?? 0, budgets[workload]?.[id] ?? 0)])
          .filter(([, budget]) => budget !== 0),
      ),
    ]),
  )
}

function updateBudget(id: FigureId, figure: number, budget: number): number {
  return isWithin(id, figure, budget) ? budget : figure
}
