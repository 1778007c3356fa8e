/** The migrations of an adapter, which it offers under a global symbol. */
import type { Adapter } from "@latchkey/core/adapters"
import { CommandError } from "../terminal.ts"
import type { LoadedAdapter } from "./load-adapter.ts"

const maintenanceSymbol = Symbol.for("latchkey.maintenance")

/** The changes of a migration that ran, or would run. */
export interface MigrationReport {
  readonly from: number
  readonly to: number
  readonly applied: readonly string[]
  readonly addedFields: readonly string[]
  readonly statements: readonly string[]
}

export interface Maintenance {
  /** Adapters of older versions do not call `onStep`. */
  migrate(options: {
    readonly dryRun: boolean
    readonly onStep?: (step: string) => void
  }): Promise<MigrationReport>
  sql(): string
  /** Adapters of older versions do not have it. */
  findLooseColumns?(): Promise<readonly { readonly column: string; readonly fix: string }[]>
  findReusedIds?(): Promise<readonly { readonly table: string; readonly fix: string }[]>
}

/** Returns the migrations of an adapter. @throws CommandError if it has none */
export function getMaintenance({ adapter, file }: LoadedAdapter): Maintenance {
  const maintenance = readMaintenance(adapter)
  if (maintenance) return maintenance
  throw new CommandError(
    `The adapter in ${file} has no migrations for this command. SqlAdapter of @latchkey/sql has.\n` +
      "For other adapters, create the tables as their documentation describes.",
  )
}

/**
 * Returns the names of the migrations and columns that the database lacks; none if the adapter has no migrations.
 * Rejects if the database cannot be read.
 */
export async function listMissingMigrations(adapter: Adapter): Promise<readonly string[]> {
  const report = await readMaintenance(adapter)?.migrate({ dryRun: true })
  if (!report) return []
  return [...report.applied, ...report.addedFields.map((field) => `column ${field}`)]
}

/** Returns the key columns that treat different texts as equal, and how to fix them. Rejects if it cannot tell. */
export async function listLooseColumns(
  adapter: Adapter,
): Promise<readonly { readonly column: string; readonly fix: string }[]> {
  return (await readMaintenance(adapter)?.findLooseColumns?.()) ?? []
}

/**
 * Returns the tables that give the id of a deleted user to a new one, and how to fix them. Rejects if it cannot tell.
 */
export async function listReusedIds(
  adapter: Adapter,
): Promise<readonly { readonly table: string; readonly fix: string }[]> {
  return (await readMaintenance(adapter)?.findReusedIds?.()) ?? []
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
