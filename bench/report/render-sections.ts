/** Renders the sections of docs/performance.md from all results. */
import { renderColdStarts } from "../cold/report.ts"
import { renderWrap } from "../wrap/report.ts"
import { renderGoals } from "./goal-table.ts"
import { renderMarkdown } from "./markdown.ts"
import type { StoredResults } from "./results.ts"

/** By the names of their markers, in the order of the page. */
export interface Sections {
  readonly goals: string
  readonly measurements: string
  readonly coldStarts: string
  readonly wrap: string
}

/** Renders them. */
export function renderSections(results: StoredResults): Sections {
  return {
    goals: renderGoals(results),
    measurements: renderMarkdown(results.requests),
    coldStarts: results.cold ? renderColdStarts(results.cold) : "Not measured.",
    wrap: results.wrap ? renderWrap(results.wrap) : "Not measured.",
  }
}
