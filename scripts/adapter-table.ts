/**
 * Writes the table in docs/adapters.md that shows which adapter passes which cases of the conformance suite on which
 * database, from Vitest's JSON reports of `npm test`, `npm test -- --project databases` and `npm test -- --project compat`:
 * `npm run check -- adapters [--check] <report.json>…`.
 */
import { readFileSync } from "node:fs"
import { adapterCases } from "@latchkey/testing/adapters"
import { writeGeneratedSection } from "./generated-sections.ts"

/** The groups of the suite in the order of the columns. */
const columns = {
  Contract: ["core", "webauthn"],
  Values: ["values"],
  Races: ["race"],
  "Two adapters": ["processes"],
  Interruptions: ["interruption"],
  "Optional methods": ["optional"],
} as const satisfies Record<string, readonly (typeof adapterCases)[number]["group"][]>

type Column = keyof typeof columns

/** The part of Vitest's JSON report that is read here. */
interface ReportedTest {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
}

const columnByCase = new Map(
  adapterCases.map(({ name, group }) => [
    name,
    (Object.keys(columns) as Column[]).find((column) =>
      columns[column].some((candidate) => candidate === group),
    ),
  ]),
)

const reports = process.argv.slice(2).filter((argument) => argument !== "--check")
/** Whether each case of a column passed, by adapter and database. */
const rows = new Map<string, Map<Column, Map<string, boolean>>>()
for (const report of reports) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8"))
  for (const { name, assertionResults } of testResults) {
    for (const test of assertionResults) countTest(String(name), test)
  }
}
if (rows.size === 0) throw new TypeError("The reports hold no run of the suite.")
writeGeneratedSection("docs/adapters.md", "suite", renderTable())

function countTest(file: string, { ancestorTitles, title, status }: ReportedTest): void {
  const subject = parseSubject(file, ancestorTitles.join(", "))
  if (subject === undefined) return
  const knownFailure = /^fails: (.*)$/.exec(title)?.[1]
  const caseName = knownFailure ?? title
  const column = columnByCase.get(caseName)
  if (column === undefined || status === "skipped" || status === "pending") return
  const row = rows.get(subject) ?? new Map<Column, Map<string, boolean>>()
  rows.set(subject, row)
  const cell = row.get(column) ?? new Map<string, boolean>()
  row.set(column, cell)
  const passed = knownFailure === undefined && status === "passed"
  cell.set(caseName, passed && cell.get(caseName) !== false)
}

/** Returns the adapter and its database; undefined for other tests. */
function parseSubject(file: string, titles: string): string | undefined {
  const packageName = /\/packages\/(sql|redis|mikro-orm)\/test\/conformance/.exec(file)?.[1]
  const [, variant = "", location = ""] =
    /^the conformance suite( with .+?)?, (?:on |with )(.+)$/.exec(titles) ?? []
  if (packageName !== undefined && location !== "")
    return `\`@latchkey/${packageName}\`${variant} | ${formatDatabase(location)}`
  const [, adapter, database] = /^the conformance suite, on (\S+) with (.+)$/.exec(titles) ?? []
  return adapter && database && `\`${adapter}\` | ${database}`
}

/** Reorders `redis, RedisSessions beside another adapter` for readability. */
function formatDatabase(database: string): string {
  const [driver = "", layer] = database.split(", ")
  return layer === undefined ? driver : `${layer}, with \`${driver}\``
}

function renderTable(): string {
  const names = Object.keys(columns) as Column[]
  const head = `| Adapter | On | ${names.join(" | ")} |`
  const line = `|---|---|${names.map(() => "--:|").join("")}`
  const body = [...rows].map(([subject, row]) => {
    const cells = names.map((name) => renderCell(row.get(name)))
    return `| ${subject} | ${cells.join(" | ")} |`
  })
  return [head, line, ...body.sort()].join("\n")
}

function renderCell(cell: ReadonlyMap<string, boolean> | undefined): string {
  if (!cell) return "–"
  const passed = [...cell.values()].filter(Boolean).length
  return passed === cell.size ? String(passed) : `${passed} of ${cell.size}`
}
