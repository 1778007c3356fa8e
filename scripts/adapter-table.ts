/**
 * Makes the table of docs/adapters.md that says which adapter keeps which promises on which database, from what Vitest
 * reported of the suite: `npm run adapters -- [--check] <report.json>…`, with the reports of `npm test` and of
 * `npm run test:compat`.
 */
import { readFileSync } from "node:fs"
import { adapterCases } from "@latchkey/testing/adapters"
import { writeGeneratedSection } from "./generated-sections.ts"

/** The groups of the suite, as the table has them. */
const columns = {
  Contract: ["core", "webauthn"],
  Values: ["values"],
  Races: ["race"],
  "Two adapters": ["processes"],
  Interruptions: ["interruption"],
  "Optional methods": ["optional"],
} as const satisfies Record<string, readonly (typeof adapterCases)[number]["group"][]>

type Column = keyof typeof columns

/** What the report of Vitest says of a test, as far as it matters here. */
interface ReportedTest {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
}

/** How often a group of promises was kept, and how often it was not. */
interface CaseCount {
  passed: number
  failed: number
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
const rows = new Map<string, Map<Column, CaseCount>>()
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
  const knownFailure = /^does not keep: (.*)$/.exec(title)?.[1]
  const column = columnByCase.get(knownFailure ?? title)
  if (column === undefined || status === "skipped" || status === "pending") return
  const row = rows.get(subject) ?? new Map<Column, CaseCount>()
  rows.set(subject, row)
  const cell = row.get(column) ?? { passed: 0, failed: 0 }
  row.set(column, cell)
  if (knownFailure === undefined && status === "passed") cell.passed += 1
  else cell.failed += 1
}

/** The adapter and its database; undefined for a test that is none of the suite's. */
function parseSubject(file: string, titles: string): string | undefined {
  const packageName = /\/packages\/(sql|redis|mikro-orm)\/test\/conformance/.exec(file)?.[1]
  const [, variant = "", location = ""] =
    /^(?:the shared|our) suite( with .+?)?, (?:on |with )(.+)$/.exec(titles) ?? []
  if (packageName !== undefined && location !== "")
    return `\`@latchkey/${packageName}\`${variant} | ${formatDatabase(location)}`
  const [, adapter, database] = /^our suite, on (\S+) with (.+)$/.exec(titles) ?? []
  return adapter && database && `\`${adapter}\` | ${database}`
}

/** `redis, RedisSessions beside another adapter` reads better the other way round. */
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

function renderCell(cell: CaseCount | undefined): string {
  if (!cell || cell.passed + cell.failed === 0) return "–"
  return cell.failed === 0 ? String(cell.passed) : `${cell.passed} of ${cell.passed + cell.failed}`
}
