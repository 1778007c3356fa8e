/** Renders the results as tables. */
import { libraryIds as ids, type LibraryId, libraryNames } from "../libraries/library-names.ts"
import type { BenchResult, Rounds } from "../rounds.ts"
import { type WorkloadId, workloadTitles } from "../workloads/workload.ts"
import { formatNumber } from "./format-number.ts"
import type { Machine } from "./machine.ts"
import type { BenchResults } from "./results.ts"
import { compareWithTargets } from "./speed-targets.ts"
import { computeRatios, median, type Quantity } from "./statistics.ts"

/** Renders the section between the markers of docs/performance.md. */
export function renderMarkdown({ machine, process: inProcess, http }: BenchResults): string {
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
    "### Targets",
    "How many times as fast as Auth.js, in process.",
    renderSpeedTargets(inProcess.rounds),
    "### What the libraries do",
    renderFacts({ ...http.facts, ...inProcess.facts }),
  ].join("\n\n")
}

function renderMachine({
  date,
  node,
  processors,
  processor,
  loadBefore,
  versions,
}: Machine): string {
  const list = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`)
  return (
    `Measured on ${date} with Node.js ${node} on ${processors} × ${processor}, ` +
    `load before: ${loadBefore}. ${list.join(", ")}.`
  )
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

function renderSpeedTargets(rounds: Rounds): string {
  const body = compareWithTargets(rounds).map(
    ({ workload, target, medianRatio, lowestRatio, cpuRatio }) => [
      workload,
      target === undefined ? "none" : `${target} ×`,
      `${formatNumber(medianRatio)} ×${target !== undefined && medianRatio < target ? " (missed)" : ""}`,
      `${formatNumber(lowestRatio)} ×`,
      `${formatNumber(cpuRatio)} ×`,
    ],
  )
  return renderTable(["Work", "Target", "Median", "Lowest round", "By processor time"], body)
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
