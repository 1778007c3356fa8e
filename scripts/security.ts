/**
 * Runs the tests of every known attack and writes docs/security/cases.md from `scripts/security/cases.json`:
 *
 *   npm run check -- security                            runs the tests, writes the page
 *   npm run check -- security --check <report.json>…  reads reports of Vitest instead, and compares the page
 *
 * A case without a passing test fails, unless it says why it cannot apply.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeGeneratedSection } from "./generated-sections.ts"
import { type Case, catalogue, findTests, type ReportedTest } from "./security/catalogue.ts"
import { renderPage } from "./security/page.ts"

const reportFiles = process.argv.slice(2).filter((argument) => argument !== "--check")
const reportedTests = reportFiles.length > 0 ? readReports(reportFiles) : runTests()
const problems: string[] = []
let testCount = 0

for (const entry of [...catalogue.requirements, ...catalogue.cases, ...catalogue.advisories]) {
  const tests = findTests(entry, catalogue, reportedTests)
  testCount += tests.length
  if (!process.argv.includes("--check")) printCase(entry, tests)
  problems.push(...listProblems(entry, tests))
}
for (const problem of problems) console.log(`✗ ${problem}`)
if (problems.length > 0) process.exitCode = 1
else writeGeneratedSection("docs/security/cases.md", "cases", renderPage(catalogue, reportedTests))
const total = catalogue.requirements.length + catalogue.cases.length + catalogue.advisories.length
console.log(`security: ${total} cases, ${testCount} tests, ${problems.length} problems`)

function printCase({ id, notApplicable }: Case, tests: readonly ReportedTest[]): void {
  const failed = tests.filter(({ status }) => status !== "passed").length
  const result = notApplicable ?? `${tests.length - failed} passed, ${failed} failed`
  console.log(`${id.padStart(4)}  ${result}`)
}

function listProblems(entry: Case, tests: readonly ReportedTest[]): string[] {
  const { id, notApplicable, tests: patterns = {} } = entry
  const failed = tests.filter(({ status }) => status !== "passed")
  const missing = Object.entries(patterns).flatMap(([file, titles]) =>
    titles
      .filter(
        (title) =>
          findTests({ id, tests: { [file]: [title] } }, catalogue, reportedTests).length === 0,
      )
      .map((title) => `case ${id}: no test of ${file} is named "${title}"`),
  )
  return [
    ...failed.map(({ file, name }) => `case ${id}: ${file}: "${name}" did not pass`),
    ...missing,
    ...(tests.length === 0 && !notApplicable && missing.length === 0
      ? [`case ${id}: no test, and no reason why it cannot apply`]
      : []),
  ]
}

function runTests(): readonly ReportedTest[] {
  const folder = mkdtempSync(join(tmpdir(), "security-"))
  const report = join(folder, "report.json")
  const files = [...catalogue.requirements, ...catalogue.cases, ...catalogue.advisories].flatMap(
    ({ tests = {} }) => Object.keys(tests),
  )
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`]
  try {
    execFileSync("npx", ["vitest", "run", ...new Set(files), ...reporters], { stdio: "inherit" })
  } catch {
    // Failed tests are reported case by case, below.
  }
  try {
    return readReports([report])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReports(files: readonly string[]): readonly ReportedTest[] {
  return files.flatMap((file) => {
    const { testResults } = JSON.parse(readFileSync(file, "utf8"))
    return testResults.flatMap((result: VitestFile) =>
      result.assertionResults.map(({ ancestorTitles, title, status }) => ({
        file: result.name
          .replaceAll("\\", "/")
          .replace(/^.*?\/(?=(?:packages|demo|scripts)\/)/, ""),
        titles: [...ancestorTitles, title],
        name: [...ancestorTitles, title].join(" "),
        status,
      })),
    )
  })
}

/** The part of Vitest's JSON report that this script reads. */
interface VitestFile {
  readonly name: string
  readonly assertionResults: readonly {
    readonly ancestorTitles: readonly string[]
    readonly title: string
    readonly status: string
  }[]
}
