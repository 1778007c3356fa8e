/** Renders the results of the adapter tests as a table for the documentation. */
import { readFileSync } from "node:fs"
import type { AdapterSetup } from "./adapter-setup.ts"

const packageManifest: { devDependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
)

/** Renders one row for each adapter. Listed databases have passed all sign-in tests. */
export function renderAdapterTable(setups: readonly AdapterSetup[]): string {
  const adapters = Map.groupBy(setups, ({ adapter }) => adapter)
  const rows = [...adapters].map(([name, adapterSetups]) => {
    const version = packageManifest.devDependencies[name]
    const yes = Array(4).fill("yes").join(" | ")
    return `| \`${name}\` ${version} | ${listDatabases(adapterSetups)} | ${yes} | ${renderRemarks(adapterSetups)} |`
  })
  const head = [
    "| Adapter | Tried on | OAuth | E-mail | Stored sessions | Cookie sessions | Remarks |",
    "|---|---|---|---|---|---|---|",
  ]
  return [...head, ...rows, "", ...[...adapters].flatMap(renderSchemaFixes)].join("\n")
}

/** Lists the databases. Names the server even if it is not available here, so that the table does not change. */
function listDatabases(setups: readonly AdapterSetup[]): string {
  const names = setups.map(({ database, onAnyPostgres }) =>
    onAnyPostgres ? "PostgreSQL" : database,
  )
  return [...new Set(names)].join(", ")
}

function renderRemarks([kind]: readonly AdapterSetup[]): string {
  const failures = [...new Set(Object.values(kind?.knownFailures ?? {}))]
  if (failures.length === 0) return "passes the conformance suite"
  return `${failures.join("; ")}${kind?.schemaFixes ? ": see below" : ""}`
}

function renderSchemaFixes([name, [kind]]: [string, readonly AdapterSetup[]]): string[] {
  if (!kind?.schemaFixes) return []
  const statements = kind.schemaFixes.map((statement) => `${statement};`)
  return [
    `With these, \`${name}\` passes the conformance suite:`,
    "",
    "```text",
    ...statements,
    "```",
    "",
  ]
}
