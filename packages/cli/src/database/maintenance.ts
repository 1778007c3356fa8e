/** What an adapter carries for this command, under a symbol that is registered by name. */
import type { Adapter } from "@latchkey/core/adapters"
import { CommandError } from "../terminal.ts"
import type { LoadedAdapter } from "./load-adapter.ts"

const maintenanceSymbol = Symbol.for("latchkey.maintenance")

/** What was changed in a database, or would be. */
export interface MigrationReport {
  readonly from: number
  readonly to: number
  readonly applied: readonly string[]
  readonly addedFields: readonly string[]
  readonly statements: readonly string[]
}

/** What an adapter can do with its database. */
export interface Maintenance {
  migrate(options: { readonly dryRun: boolean }): Promise<MigrationReport>
  sql(): string
}

/** @throws Refusal when the adapter carries nothing of the kind */
export function getMaintenance({ adapter, file }: LoadedAdapter): Maintenance {
  const maintenance = readMaintenance(adapter)
  if (maintenance) return maintenance
  throw new CommandError(
    `The adapter in ${file} has no migrations of ours: SqlAdapter of @latchkey/sql has.\n` +
      "The tables of another adapter are made as its own guide says.",
  )
}

/**
 * What the database still lacks, in the words of the migrations; nothing for an adapter that has none of ours. Rejects
 * with what keeps that from being found out.
 */
export async function listMissingMigrations(adapter: Adapter): Promise<readonly string[]> {
  const report = await readMaintenance(adapter)?.migrate({ dryRun: true })
  if (!report) return []
  return [...report.applied, ...report.addedFields.map((field) => `column ${field}`)]
}

function readMaintenance(adapter: Adapter): Maintenance | undefined {
  const maintenance: unknown = Reflect.get(adapter, maintenanceSymbol)
  return isMaintenance(maintenance) ? maintenance : undefined
}

function isMaintenance(value: unknown): value is Maintenance {
  return (
    typeof value === "object" &&
    value !== null &&
    "migrate" in value &&
    typeof value.migrate === "function" &&
    "sql" in value &&
    typeof value.sql === "function"
  )
}
