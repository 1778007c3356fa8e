/** Renders the section about pages of frameworks in docs/performance.md. */
import { formatNumber } from "../report/format-number.ts"
import { renderMachine } from "../report/machine.ts"
import { renderTable } from "../report/markdown.ts"
import type { FrameworkResults } from "../report/results.ts"
import { computeRatios, median } from "../report/statistics.ts"
import { findExample } from "./build.ts"
import { type ApplicationId, frameworkIds } from "./catalogue.ts"

export function renderFrameworks({ machine, rounds }: FrameworkResults): string {
  const body = frameworkIds.map((framework) => {
    const { bare = [] } = rounds[framework]
    const render = (id: ApplicationId) => {
      const measurements = rounds[framework][id]
      if (!measurements) return "–"
      const time = formatNumber(median(measurements.map(({ cpu }) => cpu)))
      const ratio = median(computeRatios(measurements, bare, "cpu")).toFixed(2)
      return id === "bare" ? time : `${time} (${ratio} ×)`
    }
    return [findExample(framework).title, render("bare"), render("latchkey"), render("authjs")]
  })
  const header = ["Framework", "Without a library", "With Latchkey", "With Auth.js"]
  return [renderMachine(machine), renderTable(header, body)].join("\n\n")
}
