/** Finds the tables of options in the documentation. */
import { globSync, readFileSync } from "node:fs"

/** A table whose rows are options, events or callbacks. */
export interface OptionTable {
  readonly file: string
  /** The types whose members it lists, each with its package: `@latchkey/sql SqlOptions`. */
  readonly types: readonly string[]
  /** The names at the beginning of its rows, without the option that they belong to. */
  readonly names: readonly string[]
}

/** The pages about the product; decisions and errors have no tables of options. */
const documents = ["README.md", "docs/*.md", "docs/security/*.md", "packages/*/README.md"]

const tableStart = /^\| *(?:Options?|Events?|Callbacks?)\b[^|]*\|/i

/**
 * Finds all tables whose first column is titled "Option", "Event" or "Callback". A comment such as
 * `<!-- options: @latchkey/sql SqlOptions, MigrateOptions -->` above a table says whose members its rows are.
 */
export function findOptionTables(): OptionTable[] {
  return globSync(documents).sort().flatMap(findTables)
}

/** Reads a page, without its code. */
export function readDocument(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^ *```.*?^ *```$/gms, "")
}

function findTables(file: string): OptionTable[] {
  const paragraphs = readDocument(file).split(/\n{2,}/)
  return paragraphs.flatMap((paragraph, index) => {
    if (!tableStart.test(paragraph)) return []
    const comment = /^<!-- options: (\S+) (.+) -->$/.exec(paragraphs[index - 1]?.trim() ?? "")
    const types = comment?.[2]?.split(", ").map((name) => `${comment[1]} ${name}`) ?? []
    return [{ file, types, names: paragraph.split("\n").slice(2).flatMap(readNames) }]
  })
}

/** Returns the names in the first cell of a row, such as `timeout` of `session.timeout`. */
function readNames(row: string): string[] {
  const [, cell = ""] = row.split(/(?<!\\)\|/)
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) =>
    name.replace(/^[\w.]+\.(?=\w)/, ""),
  )
}
