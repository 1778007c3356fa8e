/** Renders the results as tables. */
import {
  libraryIds as ids,
  type LibraryId,
  libraryNames,
  limitNames,
} from "../libraries/library-names.ts"
import type { BenchResult, Rounds } from "../rounds.ts"
import type { ScalingRounds, ScalingSubjectId } from "../scaling.ts"
import { type WorkloadId, workloadTitles } from "../workloads/workload.ts"
import { formatNumber } from "./format-number.ts"
import { renderMachine } from "./machine.ts"
import type { BenchResults } from "./results.ts"
import { computeRatios, computeScaling, median, type Quantity } from "./statistics.ts"

/** Renders the section between the markers of docs/performance.md. */
export function renderMarkdown({
  machine,
  process: inProcess,
  http,
  scaling,
}: BenchResults): string {
  return [
    renderMachine(machine),
    "![Processor time of a page that checks the session, by library](images/performance-page.svg)",
    "![Time of a session check in process, by library](images/performance-in-process.svg)",
    "![Processor time of the steps of a sign-in, by library](images/performance-sign-in.svg)",
    "### In process",
    "Microseconds from request to response. In brackets: how many times as long as Latchkey.",
    renderRatioTable(inProcess.rounds, "time"),
    "### Over HTTP, through Express",
    "Microseconds of processor time in the server for one request, all of its threads together.",
    renderRatioTable(http.rounds, "cpu"),
    "### The limit",
    "Microseconds in process. In brackets: how many times as long Latchkey takes.",
    renderLimits(inProcess),
    "### Two processes",
    "Session checks in the same time, compared with one process.",
    renderScaling(scaling),
    "### What the libraries do",
    renderFacts({ ...http.facts, ...inProcess.facts }),
  ].join("\n\n")
}

/** Renders a table whose first column is text. */
export function renderTable(
  header: readonly string[],
  body: readonly (readonly string[])[],
): string {
  const align = header.map((_, column) => (column === 0 ? "---" : "--:"))
  return [header, align, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

function renderRatioTable(rounds: Rounds, quantity: Quantity): string {
  const measuredIds = ids.filter((id) => rounds.w1?.[id])
  const body = Object.entries(workloadTitles).flatMap(([id, name]) => {
    const measured = rounds[id as WorkloadId] // the keys of `workNames`
    if (!measured) return []
    return [[name, ...measuredIds.map((library) => renderCell(measured, library, quantity))]]
  })
  return renderTable(["Work", ...measuredIds.map((id) => libraryNames[id])], body)
}

function renderCell(
  measured: NonNullable<Rounds[WorkloadId]>,
  library: LibraryId,
  quantity: Quantity,
): string {
  const measurements = measured[library]
  if (!measurements) return "–"
  const microseconds = formatNumber(median(measurements.map((each) => each[quantity])))
  if (library === "latchkey" || !measured.latchkey) return microseconds
  return `${microseconds} (${formatNumber(median(computeRatios(measurements, measured.latchkey, quantity)))} ×)`
}

/** The work that the limit does, too. */
function renderLimits({ rounds }: BenchResult): string {
  const body = (["w1", "w1Distinct", "w2", "w2Distinct", "w5", "w6", "w7"] as const).flatMap(
    (id) => {
      const measured = rounds[id]
      if (!measured?.latchkey || !measured.limit || !measured.limitWeb) return []
      const latchkey = formatNumber(median(measured.latchkey.map(({ time }) => time)))
      const limits = [measured.limit, measured.limitWeb].map((limit) => {
        const microseconds = formatNumber(median(limit.map(({ time }) => time)))
        const ratio = formatNumber(median(computeRatios(measured.latchkey ?? [], limit, "time")))
        return `${microseconds} (${ratio} ×)`
      })
      return [[workloadTitles[id], latchkey, ...limits]]
    },
  )
  if (body.length === 0) return "Not measured."
  return renderTable(["Work", libraryNames.latchkey, ...Object.values(limitNames)], body)
}

function renderScaling(scaling: ScalingRounds | undefined): string {
  if (!scaling) return "Not measured."
  const body = Object.entries(scaling).map(([id, rounds]) => {
    const ratios = rounds.map(computeScaling)
    return [
      { ...libraryNames, ...limitNames }[id as ScalingSubjectId], // the keys of the results
      ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map(
        (ratio) => `${ratio.toFixed(2)} ×`,
      ),
    ]
  })
  return renderTable(["", "Median", "Lowest round", "Highest round"], body)
}

/** Only of libraries that sign in with providers. */
function renderFacts(facts: BenchResult["facts"]): string {
  const body = ids.flatMap((id) => {
    const libraryFacts = facts[id]
    if (!libraryFacts) return []
    return [
      [
        libraryNames[id],
        libraryFacts.verifiesIdTokens ? "refuses it" : "accepts it",
        renderRequestCounts(libraryFacts.requestsAtStart),
        renderRequestCounts(libraryFacts.requestsAtCallback),
      ],
    ]
  })
  const header = [
    "",
    "ID token with a foreign signature",
    "Fetches at the start",
    "At the callback",
  ]
  return renderTable(header, body)
}

function renderRequestCounts(requests: Readonly<Record<string, number>>): string {
  const paths = Object.entries(requests).map(([path, count]) =>
    count === 1 ? `\`${path}\`` : `${count} × \`${path}\``,
  )
  return paths.join(", ") || "nothing"
}
