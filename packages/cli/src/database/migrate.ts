/** `latchkey migrate`: brings the tables of an adapter up to date. */
import type { MigrateCommand } from "../command-options.ts"
import type { Terminal } from "../terminal.ts"
import { loadAdapter, runOnDatabase } from "./load-adapter.ts"
import { getMaintenance, type MigrationReport } from "./maintenance.ts"

/** Prints the changes that it made, or would make. */
export async function runMigrateCommand(
  command: MigrateCommand,
  terminal: Terminal,
): Promise<number> {
  const maintenance = getMaintenance(await loadAdapter(command))
  if (command.sql) {
    terminal.out(maintenance.sql().trimEnd())
    return 0
  }
  const dryRun = command.dryRun === true
  const onStep = (step: string) => terminal.progress?.(`Applying ${step}`)
  const report = await runOnDatabase(() => maintenance.migrate({ dryRun, onStep }))
  for (const line of formatMigrationReport(report, dryRun)) terminal.out(line)
  return 0
}

function formatMigrationReport(
  { from, to, applied, addedFields, statements }: MigrationReport,
  dryRun: boolean,
): string[] {
  // Everything else is a comment, so that the plan is valid SQL.
  const commentPrefix = dryRun ? "-- " : ""
  if (applied.length === 0 && addedFields.length === 0) {
    return [`${commentPrefix}The database is up to date (version ${to}).`]
  }
  const [stepSuffix, columnSuffix] = dryRun
    ? ["would be applied", "would be added"]
    : ["applied", "added"]
  return [
    `${commentPrefix}From version ${from} to ${to}:`,
    ...applied.map((step) => `${commentPrefix}  ${step} ${stepSuffix}`),
    ...addedFields.map((field) => `${commentPrefix}  column ${field} ${columnSuffix}`),
    ...(dryRun ? statements.map((statement) => `${statement};`) : []),
  ]
}
