/** Renders the sections of docs/performance.md from all results. */
import { renderColdStarts } from "../cold/report.ts"
import { renderFrameworks } from "../frameworks/report.ts"
import { renderWrap } from "../wrap/report.ts"
import { renderGoals } from "./goal-table.ts"
import { renderMarkdown } from "./markdown.ts"
import type { StoredResults } from "./results.ts"
import { renderSpread } from "./spread.ts"

/** By the names of their markers, in the order of the page. */
export interface Sections {
  readonly goals: string
  readonly measurements: string
  readonly frameworks: string
  readonly spread: string
  readonly coldStarts: string
  readonly wrap: string
}

/** Renders them. */
export function renderSections(results: StoredResults): Sections {
  return {
    goals: renderGoals(results),
    measurements: renderMarkdown(results.requests),
    frameworks: results.frameworks ? renderFrameworks(results.frameworks) : "Not measured.",
    spread: renderSpread(results.requests, results.busy),
    coldStarts: results.cold ? renderColdStarts(results.cold) : "Not measured.",
    wrap: results.wrap ? renderWrap(results.wrap) : "Not measured.",
  }
}
