/** Renders the section about pages of frameworks in docs/performance.md. */
import { formatNumber } from "../report/format-number.ts"
import { renderMachine } from "../report/machine.ts"
import { renderTable } from "../report/markdown.ts"
import type { FrameworkResults } from "../report/results.ts"
import { computeRatios, median } from "../report/statistics.ts"
import { findExample } from "./build.ts"
import { frameworkIds, type PageId } from "./catalogue.ts"

export function renderFrameworks({ machine, rounds }: FrameworkResults): string {
  const body = frameworkIds.map((id) => {
    const { pages, authjsError } = rounds[id]
    const bare = pages.bare ?? []
    const render = (page: PageId) => {
      const measurements = pages[page]
      if (!measurements) return authjsError ?? "–"
      const time = formatNumber(median(measurements.map(({ cpu }) => cpu)))
      return page === "bare"
        ? time
        : `${time} (${median(computeRatios(measurements, bare, "cpu")).toFixed(2)} ×)`
    }
    return [findExample(id).title, render("bare"), render("latchkey"), render("authjs")]
  })
  const header = ["Framework", "Without a check", "With Latchkey", "With Auth.js"]
  return [renderMachine(machine), renderTable(header, body)].join("\n\n")
}
