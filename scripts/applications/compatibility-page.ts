/** Renders `docs/compatibility.md` from the test results. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { BehaviourGroup } from "./behaviours/behaviour.ts"
import type { Application } from "./catalogue.ts"

export const pagePath = "docs/compatibility.md"

/** The result of a row in an application. */
export type Verdict = "yes" | "no" | "skipped"

/** The results of an application. */
export interface ApplicationResult {
  readonly application: Application
  /** The installed version, such as `express 5.3.0`; empty for a skipped application. */
  readonly versions: readonly string[]
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/** Renders the page. */
export function renderCompatibilityPage(
  chapters: readonly BehaviourGroup[],
  results: readonly ApplicationResult[],
): string {
  return `# Compatibility

Each row of the tables is a test that runs against each application: one of the [examples](../examples), on the newest
major version of its framework and on the previous one, installed from the packed packages with \`npm ci\`, built, and
started as in production. \`npm test -- --project examples\` runs them on Node.js 24 and checks that this page shows the results.
"${verdictLabels.skipped}" means that it was not tested.

${renderTable(
  ["Application", "Tested with"],
  results.map(({ application, versions }) => [
    application.title,
    versions.join(", ") || verdictLabels.skipped,
  ]),
)}

${chapters.map((chapter) => renderSection(chapter, results)).join("\n\n")}

The examples themselves are tested in Chromium, with scripts and without: protected pages and the way back, a wrong
password, the right one, Alder ID, a new name in the session, signing out, and all of it with the keyboard alone. With
[passkeys](passkeys.md), users sign in on the library's page and on a page of the application, and are refused with a copy
of a passkey, and with a response that another website requested; in SvelteKit, SolidStart and Qwik.

## Versions

| Package | Framework | Node.js |
|---|---|---|
| \`@latchkey/express\` | Express ^4.18.2, ^5 | 20 or newer |
| \`@latchkey/sveltekit\` | SvelteKit ^2.26, ^3; Svelte 5 | SvelteKit 2: 20 or newer; SvelteKit 3: 22 or newer |
| \`@latchkey/solid-start\` | SolidStart ^1.1, ^2 | SolidStart 1: 20 or newer; SolidStart 2: 24 or newer |
| \`@latchkey/qwik\` | Qwik City ^1.9, Qwik 2 beta | 20 or newer; with Qwik City 1 and Node.js 20, override \`undici\` with 6 |
`
}

/** Renders a cell. */
const verdictLabels: Readonly<Record<Verdict, string>> = {
  yes: "✓",
  no: "**no**",
  skipped: "skipped",
}

function renderSection(
  { title, behaviours }: BehaviourGroup,
  results: readonly ApplicationResult[],
): string {
  const head = ["", ...results.map(({ application }) => application.title)]
  const rows = behaviours.map(({ name }) => [
    name,
    ...results.map(({ verdicts }) => verdictLabels[verdicts.get(name) ?? "skipped"]),
  ])
  return `## ${title}\n\n${renderTable(head, rows)}`
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  const separator = `|${"---|".repeat(head.length)}`
  return [line(head), separator, ...rows.map(line)].join("\n")
}

/** Returns the installed versions of the framework packages of an application. */
export function readInstalledVersions(
  folder: string,
  { versionedPackages }: Application,
): string[] {
  return versionedPackages.map((name) => {
    const path = join(folder, "node_modules", name, "package.json")
    return `${name} ${JSON.parse(readFileSync(path, "utf8")).version}`
  })
}

/** Removes the columns of skipped applications from a page. */
export function removeSkipped(page: string, results: readonly ApplicationResult[]): string {
  const skipped = results.filter(({ versions }) => versions.length === 0)
  const titles = new Set(skipped.map(({ application }) => application.title))
  const skippedColumns = results.flatMap((column, index) =>
    skipped.includes(column) ? [index + 2] : [],
  )
  return page
    .split("\n")
    .map((line) => {
      const cells = line.split(" | ")
      if (titles.has(cells[0]?.replace("| ", "") ?? "")) return cells[0]
      if (cells.length !== results.length + 1) return line
      return cells.filter((_cell, index) => !skippedColumns.includes(index + 1)).join(" | ")
    })
    .join("\n")
}
