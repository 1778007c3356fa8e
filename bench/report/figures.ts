/** Renders the figures of README.md and docs/comparison.md. */
import { type LibraryId, libraryIds, libraryNames } from "../libraries/library-names.ts"
import type { BenchResult, Rounds } from "../rounds.ts"
import type { WorkloadId } from "../workloads/workload.ts"
import { formatNumber } from "./format-number.ts"
import { renderTable } from "./markdown.ts"
import type { BenchResults } from "./results.ts"
import { computeRatios, median, type Quantity } from "./statistics.ts"

/** Renders the section of README.md. */
export function renderFigures({ http }: BenchResults, forgedTokenCount: number): string {
  const page = (id: LibraryId) => renderMicroseconds(http.rounds, "page", id, "cpu")
  const ratio = formatNumber(computeMedianRatio(http.rounds, "page", "reference", "cpu"))
  const accepting = libraryIds.filter((id) => http.facts[id]?.verifiesIdTokens === false)
  return [
    "- **Signed in within seconds.** [One command](docs/init.md) adds sign-in to your application, with made-up people: you " +
      "register nothing anywhere.",
    `- **Everything checked that others leave out.** ${forgedTokenCount} of ${forgedTokenCount} kinds of forged or invalid ID tokens are ` +
      `refused; ${joinNames(accepting)} accepted one with a foreign signature ([attacks and their tests](docs/security/cases.md)).`,
    `- **${ratio} times as fast as Auth.js.** A page that checks the session costs ${page("latchkey")} of processor time, not ` +
      `${page("reference")}; with Passport, ${page("passport")} ([measurements](docs/performance.md)).`,
  ].join("\n")
}

/** Renders the section of docs/comparison.md. */
export function renderComparison(results: BenchResults, forgedTokenCount: number): string {
  const { machine, process: inProcess, http } = results
  // The others only hold sessions, or only sign in with a provider.
  const ids = libraryIds.filter((id) => http.rounds.w7?.[id] && http.rounds.w6?.[id])
  const measure = (
    title: string,
    { rounds }: BenchResult,
    workload: WorkloadId,
    quantity: Quantity,
  ) => [title, ...ids.map((id) => renderWithRatio(rounds, workload, id, quantity))]
  const table = renderTable(
    ["", ...ids.map((id) => libraryNames[id])],
    [
      measure("Page with a session check, cookie", http, "page", "cpu"),
      measure("Page with a session check, SQLite", http, "w2Page", "cpu"),
      measure("Session check in process, cookie", inProcess, "w1", "time"),
      measure("Session check in process, SQLite", inProcess, "w2", "time"),
      measure("OpenID Connect callback", http, "w6", "cpu"),
      measure("Sign-in with a password", http, "w7", "cpu"),
      [
        "ID token with a foreign signature",
        ...ids.map((id) => (http.facts[id]?.verifiesIdTokens ? "refused" : "accepted")),
      ],
    ],
  )
  const { faster, total } = countFasterRows(http)
  return [
    table,
    "Microseconds; in brackets: how many times as long as Latchkey, the median of the rounds. Pages, callbacks and passwords are processor time of the server " +
      `through Express. Measured on ${machine.date} with Node.js ${machine.node}.`,
    `express-session with Passport needs less processor time than Latchkey in ${faster} of ${total} measurements over HTTP. ` +
      `Latchkey refuses all ${forgedTokenCount} kinds of forged or invalid ID tokens of its test package.`,
  ].join("\n\n")
}

/** The workloads over HTTP in which express-session and Passport need less processor time than Latchkey. */
function countFasterRows({ rounds }: BenchResult): { faster: number; total: number } {
  const compared = (Object.keys(rounds) as WorkloadId[]).filter((id) => rounds[id]?.passport)
  const faster = compared.filter((id) => computeMedianRatio(rounds, id, "passport", "cpu") < 1)
  return { faster: faster.length, total: compared.length }
}

function renderWithRatio(
  rounds: Rounds,
  workload: WorkloadId,
  library: LibraryId,
  quantity: Quantity,
): string {
  const value = formatNumber(computeMedian(rounds, workload, library, quantity))
  if (library === "latchkey") return value
  return `${value} (${formatNumber(computeMedianRatio(rounds, workload, library, quantity))} ×)`
}

function renderMicroseconds(
  rounds: Rounds,
  workload: WorkloadId,
  library: LibraryId,
  quantity: Quantity,
): string {
  return `${formatNumber(computeMedian(rounds, workload, library, quantity))} µs`
}

function computeMedian(
  rounds: Rounds,
  workload: WorkloadId,
  library: LibraryId,
  quantity: Quantity,
): number {
  return median((rounds[workload]?.[library] ?? []).map((each) => each[quantity]))
}

function computeMedianRatio(
  rounds: Rounds,
  workload: WorkloadId,
  library: LibraryId,
  quantity: Quantity,
): number {
  const { [library]: measurements = [], latchkey = [] } = rounds[workload] ?? {}
  return median(computeRatios(measurements, latchkey, quantity))
}

function joinNames(ids: readonly LibraryId[]): string {
  return new Intl.ListFormat("en").format(ids.map((id) => libraryNames[id]))
}
