/** Renders the section about growth in docs/scaling.md. */
import { formatNumber } from "../../report/format-number.ts"
import { renderTable } from "../../report/markdown.ts"
import { median } from "../../report/statistics.ts"
import { formatCount } from "../format-count.ts"
import { type Dimension, dimensions, measures } from "./dimensions.ts"
import type { DimensionResults, ProcessGrowthResults } from "./results.ts"

/** Renders a table for each dimension. */
export function renderProcessGrowth(results: ProcessGrowthResults): string {
  return dimensions
    .flatMap((dimension) => {
      const measured = results[dimension]
      return measured ? [renderDimension(dimension, measured)] : []
    })
    .join("\n\n")
}

function renderDimension(dimension: Dimension, { machine, rounds }: DimensionResults): string {
  const counts = Object.keys(rounds).map(Number)
  const body = Object.entries(measures[dimension]).map(([id, { title, unit, law }]) => {
    const values = counts.map((count) => median((rounds[count] ?? []).map((each) => each[id] ?? 0)))
    return [title, ...values.map((value) => `${formatNumber(value)} ${unit}`), law]
  })
  const { node, processors, processor, date } = machine
  return [
    renderTable(["", ...counts.map((count) => renderCount(count, dimension)), "Growth"], body),
    `Processor time, median of ${rounds[counts[0] ?? 0]?.length} rounds, on ${date} with Node.js ${node} on ${processors} × ${processor}.`,
  ].join("\n\n")
}

function renderCount(count: number, dimension: Dimension): string {
  if (count === 1) return `1 ${dimension.slice(0, -1)}`
  return `${count < 100 ? count : formatCount(count)} ${dimension}`
}
