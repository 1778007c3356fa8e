/** Creates the table of the budgets in `docs/performance.md`. */
import { workloadTitles } from "../../bench/workloads/workload.ts"
import { type FigureId, type Figures, figureIds, type WorkloadFigures } from "./figures.ts"

/** The columns of the table. The file with the budgets has each figure. */
const columns: Readonly<Record<string, readonly FigureId[]>> = {
  Promises: ["promises"],
  "Thread-pool jobs": ["poolJobs"],
  Hashes: ["hashes"],
  "Encryption, decryption": ["ciphers"],
  Signatures: ["signatures"],
  "Web objects": [
    "requests",
    "responses",
    "headers",
    "urls",
    "searchParams",
    "textCoders",
    "streams",
    "abortControllers",
  ],
  "JSON texts": ["json"],
  "SQL statements": ["sqlPrepares", "sqlStatements"],
  KB: ["bytes"],
}

/** Returns a Markdown table with a row for each workload. */
export function createBudgetTable(budgets: WorkloadFigures): string {
  const titles: Readonly<Record<string, string>> = { empty: "`null` at once", ...workloadTitles }
  const rows = Object.entries(budgets).map(([workload, figures]) => [
    titles[workload] ?? workload,
    ...Object.values(columns).map((ids) => formatSum(figures, ids)),
  ])
  return [
    ["Work", ...Object.keys(columns)],
    ["---", ...Object.keys(columns).map(() => "--:")],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
}

function formatSum(figures: Figures, ids: readonly FigureId[]): string {
  const sum = figureIds
    .filter((id) => ids.includes(id))
    .reduce((total, id) => total + (figures[id] ?? 0), 0)
  if (ids.includes("bytes")) return (sum / 1000).toFixed(1)
  return sum === 0 ? "–" : String(sum)
}
