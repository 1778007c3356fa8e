/** What the tests of adapters say, as a table for the documentation. */
import { readFileSync } from "node:fs"
import { postgresNames } from "./databases/postgres.ts"
import type { Kind } from "./kind.ts"

const installed: { devDependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
)

/** One row for each adapter; every kind that is listed has run through all tests of a life. */
export function adapterTable(kinds: readonly Kind[]): string {
  const adapters = Map.groupBy(kinds, ({ adapter }) => adapter)
  const rows = [...adapters].map(([name, on]) => {
    const version = installed.devDependencies[name]
    const yes = Array(4).fill("yes").join(" | ")
    return `| \`${name}\` ${version} | ${databasesOf(on)} | ${yes} | ${remarksOn(on)} |`
  })
  const head = [
    "| Adapter | Tried on | OAuth | E-mail | Stored sessions | Sealed sessions | Remarks |",
    "|---|---|---|---|---|---|---|",
  ]
  return [...head, ...rows, "", ...[...adapters].flatMap(amendmentOf)].join("\n")
}

/** A server is not everywhere; where it is missing, the table says what is tried where it is not. */
function databasesOf(kinds: readonly Kind[]): string {
  const names = kinds.flatMap(({ database, onEveryPostgres }) =>
    onEveryPostgres ? postgresNames : [database],
  )
  return [...new Set(names)].join(", ")
}

function remarksOn([kind]: readonly Kind[]): string {
  const faults = [...new Set(Object.values(kind?.fails ?? {}))]
  if (kind?.deletesOnlyWithSession) faults.push("a user without a session cannot be deleted")
  if (faults.length === 0) return "passes our suite"
  return `${faults.join("; ")}${kind?.amendment ? ": see below" : ""}`
}

function amendmentOf([name, [kind]]: [string, readonly Kind[]]): string[] {
  if (!kind?.amendment) return []
  const statements = kind.amendment.map((statement) => `${statement};`)
  return [`With these, \`${name}\` passes our suite:`, "", "```text", ...statements, "```", ""]
}
