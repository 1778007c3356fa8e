/** The results as tables. */
import { type LibraryId, libraries } from "../libraries/libraries.ts"
import type { Measured, Rounds } from "../rounds.ts"
import { type WorkId, workNames } from "../tasks/work.ts"
import { heightsOf } from "./floors.ts"
import type { Machine } from "./machine.ts"
import { median, type Quantity, ratios } from "./statistics.ts"

const ids = Object.keys(libraries) as LibraryId[] // the keys of `libraries`

/** Everything between the markers of docs/performance.md. */
export function markdownOf(machine: Machine, inProcess: Measured, http: Measured): string {
  return [
    surroundings(machine),
    "### In process",
    "Microseconds from question to answer. In brackets: how many times longer than Latchkey.",
    table(inProcess.rounds, "time"),
    "### Over HTTP, through Express",
    "Microseconds that processors worked in the server for one request, all of its threads together.",
    table(http.rounds, "cpu"),
    "### Floors",
    "How many times faster than the reference library, in process.",
    floors(inProcess.rounds),
    "### What they do for it",
    facts(inProcess),
  ].join("\n\n")
}

function surroundings({
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

function rows(header: readonly string[], body: readonly (readonly string[])[]): string {
  const align = header.map((_, column) => (column === 0 ? "---" : "--:"))
  return [header, align, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

function table(rounds: Rounds, quantity: Quantity): string {
  const body = Object.entries(workNames).flatMap(([id, name]) => {
    const measured = rounds[id as WorkId] // the keys of `workNames`
    if (!measured) return []
    return [[name, ...ids.map((library) => cell(measured, library, quantity))]]
  })
  return rows(["Work", ...ids.map((id) => libraries[id].name)], body)
}

function cell(
  measured: NonNullable<Rounds[WorkId]>,
  library: LibraryId,
  quantity: Quantity,
): string {
  const own = measured[library]
  if (!own) return "–"
  const microseconds = short(median(own.map((each) => each[quantity])))
  if (library === "latchkey" || !measured.latchkey) return microseconds
  return `${microseconds} (${short(median(ratios(own, measured.latchkey, quantity)))} ×)`
}

function floors(rounds: Rounds): string {
  const body = heightsOf(rounds).map(({ work, floor, reached, lowest, byCpu }) => [
    work,
    floor === undefined ? "none" : `${floor} ×`,
    `${short(reached)} ×${floor !== undefined && reached < floor ? " (missed)" : ""}`,
    `${short(lowest)} ×`,
    `${short(byCpu)} ×`,
  ])
  return rows(["Work", "Floor", "Median", "Lowest round", "By processor time"], body)
}

function facts({ facts }: Measured): string {
  const body = ids.map((id) => {
    const known = facts[id]
    if (!known) return [libraries[id].name, "–", "–", "–"]
    return [
      libraries[id].name,
      known.verifiesIdTokens ? "refuses it" : "accepts it",
      pathsOf(known.requestsAtStart),
      pathsOf(known.requestsAtCallback),
    ]
  })
  const header = ["", "ID token with a foreign signature", "Fetches at a start", "At a callback"]
  return rows(header, body)
}

function pathsOf(requests: Readonly<Record<string, number>>): string {
  const paths = Object.entries(requests).map(([path, count]) =>
    count === 1 ? `\`${path}\`` : `${count} × \`${path}\``,
  )
  return paths.join(", ") || "nothing"
}

function short(value: number): string {
  return value >= 20 ? value.toFixed(0) : value.toFixed(1)
}
