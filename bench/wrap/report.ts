/** Renders what a wrapped request costs. */
import { formatNumber } from "../report/format-number.ts"
import { renderMachine } from "../report/machine.ts"
import { renderTable } from "../report/markdown.ts"
import type { WrapResults } from "../report/results.ts"
import { median } from "../report/statistics.ts"

/** Renders the section of docs/performance.md. */
export function renderWrap({ machine, rounds }: WrapResults): string {
  const row = [
    median(rounds.map(({ plain }) => plain)),
    median(rounds.map(({ wrapped }) => wrapped)),
    computeAddedTime({ rounds }),
  ]
  const head = ["Microseconds per request", "Without it", "With `wrap`", "Difference"]
  return [
    renderMachine(machine),
    renderTable(head, [["A page that reads no session", ...row.map(formatNumber)]]),
  ].join("\n\n")
}

/** Returns the median of the microseconds that each round adds. */
export function computeAddedTime({ rounds }: Pick<WrapResults, "rounds">): number {
  return median(rounds.map(({ plain, wrapped }) => wrapped - plain))
}
