import type { LooseColumn } from "./loose-columns.ts"
import type { MigrationReport } from "./migrations/run-migrations.ts"
import type { ReusedIds } from "./reused-ids.ts"

/**
 * An adapter's property for maintenance commands. The symbol is registered by name, so that the command line finds it
 * without importing this package.
 */
export const maintenanceSymbol: unique symbol = Symbol.for("latchkey.maintenance")

/** The maintenance commands of an adapter. */
export interface MaintenanceCommands {
  /** Updates the tables, or reports what would be done. Calls `onStep` before each step that changes something. */
  migrate(options: {
    readonly dryRun: boolean
    readonly onStep?: (step: string) => void
  }): Promise<MigrationReport>
  /** Returns the statements for an empty database. */
  sql(): string
  /** Returns the key columns that treat different texts as equal. */
  findLooseColumns(): Promise<readonly LooseColumn[]>
  /** Returns the tables that give the id of a deleted user to a new one. */
  findReusedIds(): Promise<readonly ReusedIds[]>
}
