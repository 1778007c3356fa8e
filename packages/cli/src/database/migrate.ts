/** `latchkey migrate`: brings the tables of an adapter up to date. */
import type { MigrateCommand } from "../command-line.ts"
import type { Terminal } from "../terminal.ts"
import { locateAdapter, onDatabase } from "./adapter.ts"
import { type Migrated, maintenanceOf } from "./maintenance.ts"

/** Prints what it did, or would do. */
export async function migrate(command: MigrateCommand, terminal: Terminal): Promise<number> {
  const maintenance = maintenanceOf(await locateAdapter(command))
  if (command.action === "sql") {
    terminal.out(maintenance.sql().trimEnd())
    return 0
  }
  const dryRun = command.action === "plan"
  const report = await onDatabase(() => maintenance.migrate({ dryRun }))
  for (const line of told(report, dryRun)) terminal.out(line)
  return 0
}

function told({ from, to, applied, addedFields, statements }: Migrated, dryRun: boolean): string[] {
  // What is not SQL is a comment, so that a plan can be read by whatever reads SQL.
  const remark = dryRun ? "-- " : ""
  if (applied.length === 0 && addedFields.length === 0) {
    return [`${remark}The database has version ${to}. There is nothing to do.`]
  }
  const [be, add] = dryRun ? ["would be applied", "would be added"] : ["applied", "added"]
  return [
    `${remark}From version ${from} to ${to}:`,
    ...applied.map((step) => `${remark}  ${step} ${be}`),
    ...addedFields.map((field) => `${remark}  column ${field} ${add}`),
    ...(dryRun ? statements.map((statement) => `${statement};`) : []),
  ]
}
