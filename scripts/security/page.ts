/** Renders docs/security/cases.md. */
import { type Case, type Catalogue, findTests, type ReportedTest } from "./catalogue.ts"

export function renderPage(catalogue: Catalogue, reported: readonly ReportedTest[]): string {
  const { requirements, cases, advisories } = catalogue
  const result = (entry: Case) => renderResult(entry, catalogue, reported)
  const groups = [...new Set(cases.map(({ group }) => group))]
  return [
    "## Attacks and faults",
    ...groups.flatMap((group) => [
      `### ${group}`,
      renderTable(
        ["", "Attack or fault", "Required", "Tests"],
        cases
          .filter((entry) => entry.group === group)
          .map((entry) => [entry.id, entry.attack, entry.required, result(entry)]),
      ),
    ]),
    "## Requirements of the standards",
    renderTable(
      ["", "Source", "Requirement", "Tests"],
      requirements.map((entry) => [entry.id, entry.source, entry.requirement, result(entry)]),
    ),
    "## Past vulnerabilities of other systems",
    renderTable(
      ["", "Advisory", "Cause", "Tests"],
      advisories.map((entry) => [entry.id, entry.advisory, entry.cause, result(entry)]),
    ),
  ].join("\n\n")
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows]
  return lines.map((cells) => `| ${cells.map(escapeCell).join(" | ")} |`).join("\n")
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|")
}

function renderResult(
  entry: Case,
  catalogue: Catalogue,
  reported: readonly ReportedTest[],
): string {
  if (entry.notApplicable) return `Does not apply. ${entry.notApplicable}`
  const files = Object.keys(entry.tests ?? {}).map((file) => {
    const name = file.replace(/^.*\//, "").replace(/\.test\.tsx?$/, "")
    return `[${name}](../../${file})`
  })
  const others = entry.cases ? [`cases ${entry.cases.join(", ")}`] : []
  const passed = findTests(entry, catalogue, reported).every(({ status }) => status === "passed")
  return `${passed ? "✓" : "✗"} ${[...files, ...others].join(", ")}`
}
