/** Renders the section about load in docs/scaling.md. */
import { formatNumber } from "../report/format-number.ts"
import { renderMachine } from "../report/machine.ts"
import { renderTable } from "../report/markdown.ts"
import type { LoadResults } from "../report/results.ts"
import { median } from "../report/statistics.ts"
import {
  connectionCounts,
  type LoadMeasurement,
  loadSubjectIds,
  loadSubjects,
  processCounts,
} from "./subjects.ts"

export function renderLoad({ machine, measurements }: LoadResults): string {
  const stores = [...new Set(loadSubjectIds.map((id) => loadSubjects[id].store))]
  return [
    renderMachine(machine),
    ...stores.flatMap((store) => [`#### With ${store}`, renderStore(store, measurements)]),
  ].join("\n\n")
}

function renderStore(store: string, measurements: readonly LoadMeasurement[]): string {
  const ids = loadSubjectIds.filter((id) => loadSubjects[id].store === store)
  const body = processCounts.flatMap((processes) =>
    connectionCounts.flatMap((connections) =>
      ids.map((id) => {
        const measured = measurements.filter(
          (each) =>
            each.subject === id && each.processes === processes && each.connections === connections,
        )
        const read = (quantity: (measurement: LoadMeasurement) => number) =>
          median(measured.map(quantity))
        return [
          String(processes),
          String(connections),
          loadSubjects[id].title,
          read(({ perSecond }) => perSecond).toFixed(0),
          formatNumber(read(({ p50 }) => p50)),
          formatNumber(read(({ p99 }) => p99)),
          String(measured.reduce((sum, { errors }) => sum + errors, 0)),
          formatNumber(read(({ memory }) => memory) / 1e6),
        ]
      }),
    ),
  )
  const header = [
    "Processes",
    "Connections",
    "Library",
    "Responses per second",
    "p50, ms",
    "p99, ms",
    "Errors",
    "Memory, MB",
  ]
  return renderTable(header, body)
}
