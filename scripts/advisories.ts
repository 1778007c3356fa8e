/**
 * `npm run security -- <file>…`: reads new advisories of other libraries, and says for each which case covers it. Fails if
 * one is neither covered nor recorded in `scripts/security/advisories.json`. CONTRIBUTING.md, "Every month", has the
 * command that gets them.
 */
import { readFileSync } from "node:fs"
import {
  type Advisory,
  type Candidate,
  type Coverage,
  findCoverage,
  listCandidates,
  parseAdvisories,
  recordedAdvisories,
} from "./security/advisories.ts"
import { catalogue } from "./security/catalogue.ts"

const files = process.argv.slice(2)
if (files.length === 0) {
  throw new Error("Expected a file with advisories: npm run security -- advisories.json")
}
const candidates = listCandidates(catalogue)
const published = files.flatMap((file) => parseAdvisories(readFileSync(file, "utf8")))
const advisories = published.filter(({ isWithdrawn }) => !isWithdrawn)
const counts: Record<Coverage["kind"], number> = { covered: 0, "not applicable": 0, unknown: 0 }

for (const advisory of advisories) {
  const coverage = findCoverage(advisory, candidates, recordedAdvisories)
  counts[coverage.kind] += 1
  printAdvisory(advisory, coverage)
}
console.log(
  `security: ${advisories.length} advisories, ${counts.covered} covered by cases, ` +
    `${counts["not applicable"]} do not apply, ${counts.unknown} to read`,
)
if (counts.unknown > 0) process.exitCode = 1

function printAdvisory({ ids, packages, severity, summary }: Advisory, coverage: Coverage): void {
  console.log(`${ids.join(", ")} (${packages.join(", ")}, ${severity}): ${summary}`)
  if (coverage.kind === "covered") {
    for (const each of coverage.cases) console.log(`  ✓ case ${describe(each)}`)
  } else if (coverage.kind === "not applicable") {
    console.log(`  – does not apply. ${coverage.reason}`)
  } else {
    console.log(`  ✗ not covered: read https://github.com/advisories/${ids[0]}`)
    for (const each of coverage.similar) console.log(`    similar: case ${describe(each)}`)
  }
}

function describe({ id, description }: Candidate): string {
  return `${id}: ${description.length > 120 ? `${description.slice(0, 119)}…` : description}`
}
