/** The tables of the outcomes in docs/email.md, which the tests compare, or write with LATCHKEY_WRITE_DOCS=1. */
import { readFileSync, writeFileSync } from "node:fs"
import { expect } from "vitest"
import {
  type Cell,
  type Outcome,
  type Place,
  places,
  type Scanner,
  scanners,
  type Way,
} from "./cells.ts"

const file = new URL("../../../../docs/email.md", import.meta.url)

/** Expects that the table between two comments shows these outcomes. */
export function expectPublished(name: string, outcomes: ReadonlyMap<Cell, Outcome>): void {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`]
  const page = readFileSync(file, "utf8")
  const [before = "", rest = ""] = page.split(begin)
  const [published = "", after] = rest.split(end)
  if (after === undefined) throw new Error(`docs/email.md has no lines ${begin.trim()} and ${end}`)
  const table = `\n${renderTable(outcomes)}\n\n`
  if (process.env["LATCHKEY_WRITE_DOCS"]) writeFileSync(file, before + begin + table + end + after)
  else expect(published).toBe(table)
}

function renderTable(outcomes: ReadonlyMap<Cell, Outcome>): string {
  const columns = (["link", "code"] as const)
    .filter((way) => [...outcomes.keys()].some((cell) => cell.way === way))
    .flatMap((way) => places.map((place) => ({ way, place })))
  const titles = columns.map(({ way, place }) => `${capitalize(way)}, ${place}`)
  const rows = Object.entries(scanners).map(([scanner, title]) => {
    const marks = columns.map((column) => renderMarks(outcomes, scanner as Scanner, column))
    return `| ${title} | ${marks.join(" | ")} |`
  })
  const head = `| Before the person | ${titles.join(" | ")} |`
  return [head, `|---|${columns.map(() => ":-:|").join("")}`, ...rows].join("\n")
}

const capitalize = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

/** Renders the outcomes with and without scripts, once if they are the same. */
function renderMarks(
  outcomes: ReadonlyMap<Cell, Outcome>,
  scanner: Scanner,
  { way, place }: { way: Way; place: Place },
): string {
  const found = [...outcomes].filter(
    ([cell]) => cell.scanner === scanner && cell.way === way && cell.place === place,
  )
  const marks = found.map(([, outcome]) => renderMark(outcome))
  return [...new Set(marks)].join(" / ")
}

function renderMark({ personSignedIn, scannerSignedIn, scannerChangedRows }: Outcome): string {
  const person = personSignedIn ? "✓" : "✗"
  if (scannerSignedIn) return `${person} scanner signed in`
  return scannerChangedRows ? `${person} link used` : person
}
