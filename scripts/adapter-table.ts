/**
 * Makes the table of docs/adapters.md that says which adapter keeps which promises on which database, from what Vitest
 * reported of the suite: `npm run adapters -- [--check] <report.json>…`, with the reports of `npm test` and of
 * `npm run test:compat`.
 */
import { readFileSync } from "node:fs"
import { adapterCases } from "@latchkey/testing/adapters"
import { writeGenerated } from "./generated.ts"

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
interface Reported {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
}

/** How often a group of promises was kept, and how often it was not. */
interface Count {
  kept: number
  broken: number
}

const columnOf = new Map(
  adapterCases.map(({ name, group }) => [
    name,
    (Object.keys(columns) as Column[]).find((column) =>
      columns[column].some((one) => one === group),
    ),
  ]),
)

const reports = process.argv.slice(2).filter((argument) => argument !== "--check")
const rows = new Map<string, Map<Column, Count>>()
for (const report of reports) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8"))
  for (const { name, assertionResults } of testResults) {
    for (const test of assertionResults) count(String(name), test)
  }
}
if (rows.size === 0) throw new TypeError("The reports hold no run of the suite.")
writeGenerated("docs/adapters.md", "suite", table())

function count(file: string, { ancestorTitles, title, status }: Reported): void {
  const subject = subjectOf(file, ancestorTitles.join(", "))
  if (subject === undefined) return
  const broken = /^does not keep: (.*)$/.exec(title)?.[1]
  const column = columnOf.get(broken ?? title)
  if (column === undefined || status === "skipped" || status === "pending") return
  const row = rows.get(subject) ?? new Map<Column, Count>()
  rows.set(subject, row)
  const cell = row.get(column) ?? { kept: 0, broken: 0 }
  row.set(column, cell)
  if (broken === undefined && status === "passed") cell.kept += 1
  else cell.broken += 1
}

/** The adapter and its database; undefined for a test that is none of the suite's. */
function subjectOf(file: string, titles: string): string | undefined {
  const own = /\/packages\/(sql|redis|mikro-orm)\/test\/conformance/.exec(file)?.[1]
  const [, variant = "", place = ""] =
    /^(?:the shared|our) suite( with .+?)?, (?:on |with )(.+)$/.exec(titles) ?? []
  if (own !== undefined && place !== "") return `\`@latchkey/${own}\`${variant} | ${placeOf(place)}`
  const [, adapter, database] = /^our suite, on (\S+) with (.+)$/.exec(titles) ?? []
  return adapter && database && `\`${adapter}\` | ${database}`
}

/** `redis, RedisSessions beside another adapter` reads better the other way round. */
function placeOf(place: string): string {
  const [driver = "", layer] = place.split(", ")
  return layer === undefined ? driver : `${layer}, with \`${driver}\``
}

function table(): string {
  const names = Object.keys(columns) as Column[]
  const head = `| Adapter | On | ${names.join(" | ")} |`
  const line = `|---|---|${names.map(() => "--:|").join("")}`
  const body = [...rows].map(([subject, row]) => {
    const cells = names.map((name) => cellOf(row.get(name)))
    return `| ${subject} | ${cells.join(" | ")} |`
  })
  return [head, line, ...body.sort()].join("\n")
}

function cellOf(cell: Count | undefined): string {
  if (!cell || cell.kept + cell.broken === 0) return "–"
  return cell.broken === 0 ? String(cell.kept) : `${cell.kept} of ${cell.kept + cell.broken}`
}
