/** Compares the figures of operations with their budgets. */
import { type FigureId, type Figures, figureIds, type WorkloadFigures } from "./figures.ts"

/**
 * How far a figure may be from its budget, as a part of it. Counts were the same in 20 of 20 runs on a machine with six
 * times as many busy processes as cores; bytes differed by up to 0.7 %, and this is seven times as much.
 */
const tolerances: Figures = { bytes: 0.05 }

const isWithin = (id: FigureId, measured: number, budget: number): boolean =>
  Math.abs(measured - budget) <= budget * (tolerances[id] ?? 0)

/** Returns a sentence for each figure that is not what was committed. */
export function compareFigures(measured: WorkloadFigures, budgets: WorkloadFigures): string[] {
  const workloads = new Set([...Object.keys(measured), ...Object.keys(budgets)])
  return [...workloads].flatMap((workload) =>
    compareWorkload(workload, measured[workload], budgets[workload]),
  )
}

function compareWorkload(
  workload: string,
  measured: Figures | undefined,
  budgets: Figures | undefined,
): string[] {
  if (!measured) return [`${workload}: has a budget but was not measured`]
  if (!budgets) return [`${workload}: has no budget`]
  return figureIds.flatMap((id) => {
    const [figure, budget] = [measured[id] ?? 0, budgets[id] ?? 0]
    if (isWithin(id, figure, budget)) return []
    const change = figure > budget ? "over" : "under"
    return [`${workload}: ${figure} ${id}, ${change} its budget of ${budget}`]
  })
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
