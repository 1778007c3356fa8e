/**
 * Writes the table in docs/fetch.md that shows which behaviours `@latchkey/fetch` has in which framework and runtime, from
 * Vitest's JSON reports of `npm test` and `npm test -- --project compat`:
 * `npm run check -- behaviours [--check] <report.json>…`.
 */
import { readFileSync } from "node:fs"
import { writeGeneratedSection } from "./generated-sections.ts"

/** The part of Vitest's JSON report that is read here. */
interface ReportedTest {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
}

/** Files that call the middleware as the framework does, without the framework. */
const shapes = /\/(astro|tanstack-start)\.test\.ts$/
/** Runtimes that run all behaviours within one test. */
const runtimePattern = /^(\w+) has the twelve behaviours of every framework$/

const subjects = new Map<string, Set<string>>()
const behaviours = new Set<string>()
const runtimes = new Set<string>()
for (const report of process.argv.slice(2).filter((argument) => argument !== "--check")) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8"))
  for (const { name, assertionResults } of testResults) {
    for (const test of assertionResults) countTest(String(name), test)
  }
}
for (const runtime of runtimes) subjects.set(runtime, behaviours)
if (behaviours.size !== 12 || runtimes.size === 0)
  throw new TypeError("The reports hold no run of the behaviours.")
writeGeneratedSection("docs/fetch.md", "behaviours", renderTable())

function countTest(file: string, { ancestorTitles, title, status }: ReportedTest): void {
  if (status !== "passed") return
  const [, runtime] = runtimePattern.exec(title) ?? []
  if (runtime !== undefined) runtimes.add(runtime)
  const [subject] = ancestorTitles.filter((name) => name !== "")
  if (!isBehaviour(file) || subject === undefined) return
  const name = shapes.test(file) ? subject.replace("'s middleware", " (its calls)") : subject
  behaviours.add(title)
  subjects.set(name, (subjects.get(name) ?? new Set()).add(title))
}

/** Whether a test is one of the suite: other tests of these files stand outside of it. */
function isBehaviour(file: string): boolean {
  if (!/\/packages\/fetch\/test\/[\w-]+\.test\.ts$/.test(file)) return false
  return readFileSync(file, "utf8").includes("testBehaviours(")
}

function renderTable(): string {
  const lines = [...subjects].map(([subject, passed]) => `| ${subject} | ${passed.size} of 12 |`)
  const list = [...behaviours].map((behaviour) => `- ${behaviour}`)
  const table = ["| | Behaviours |", "|---|--:|", ...lines.sort()]
  return [...table, "", "The behaviours:", "", ...list].join("\n")
}
