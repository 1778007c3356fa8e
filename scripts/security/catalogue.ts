/** The catalogue of attacks, and the tests that belong to each. */
import { readFileSync } from "node:fs"

/** A case has tests of its own, shares those of other cases, or has a reason why it cannot apply. */
export interface Case {
  readonly id: string
  /** Titles of tests, or of groups of tests, by file. Placeholders such as `%s` stand for any text. */
  readonly tests?: Readonly<Record<string, readonly string[]>>
  readonly cases?: readonly string[]
  readonly notApplicable?: string
}

export interface Catalogue {
  readonly requirements: readonly (Case & { source: string; requirement: string })[]
  readonly cases: readonly (Case & { group: string; attack: string; required: string })[]
  readonly advisories: readonly (Case & { advisory: string; cause: string })[]
}

export interface ReportedTest {
  /** Relative to the repository. */
  readonly file: string
  /** The titles of its groups, then its own. */
  readonly titles: readonly string[]
  readonly name: string
  readonly status: string
}

export const catalogue: Catalogue = JSON.parse(
  readFileSync(new URL("cases.json", import.meta.url), "utf8"),
)

/** Returns the tests of a case, and of the cases that it refers to. */
export function findTests(
  entry: Case,
  { cases }: Catalogue,
  reported: readonly ReportedTest[],
): readonly ReportedTest[] {
  const own = Object.entries(entry.tests ?? {}).flatMap(([file, titles]) => {
    const patterns = titles.map(toPattern)
    return reported.filter(
      (test) =>
        test.file === file && patterns.some((p) => test.titles.some((title) => p.test(title))),
    )
  })
  const shared = (entry.cases ?? []).flatMap((id) => {
    const other = cases.find((candidate) => candidate.id === id)
    if (!other) throw new TypeError(`case ${entry.id} refers to case ${id}, which does not exist`)
    return findTests(other, { requirements: [], cases, advisories: [] }, reported)
  })
  return [...own, ...shared]
}

/** Returns the pattern for a title as written in the code, where `%s`, `$name` and `${name}` match any text. */
function toPattern(title: string): RegExp {
  const parts = title.split(/%[sdifjoOc#$]|\$\{[^}]*\}|\$[\w.#]+/)
  const escaped = parts.map((part) =>
    part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace("%%", "%"),
  )
  return new RegExp(`^${escaped.join(".*")}$`, "s")
}
