import type { MigrationReport } from "./migrations/run-migrations.ts"

/**
 * Under this symbol an adapter carries what commands for maintenance do with its database. It is registered by name,
 * so that the command finds it without importing this package.
 */
export const maintenanceSymbol: unique symbol = Symbol.for("latchkey.maintenance")

/** What commands for maintenance do. */
export interface MaintenanceCommands {
  /** Brings the tables up to date, or tells what would be done. */
  migrate(options: { readonly dryRun: boolean }): Promise<MigrationReport>
  /** The statements for an empty database. */
  sql(): string
}
