/** What an adapter carries for this command, under a symbol that is registered by name. */
import type { Adapter } from "@latchkey/core/adapters"
import { Refusal } from "../terminal.ts"
import type { Located } from "./adapter.ts"

const symbol = Symbol.for("latchkey.maintenance")

/** What was changed in a database, or would be. */
export interface Migrated {
  readonly from: number
  readonly to: number
  readonly applied: readonly string[]
  readonly addedFields: readonly string[]
  readonly statements: readonly string[]
}

/** What an adapter can do with its database. */
export interface Maintenance {
  migrate(options: { readonly dryRun: boolean }): Promise<Migrated>
  sql(): string
}

/** @throws Refusal when the adapter carries nothing of the kind */
export function maintenanceOf({ adapter, file }: Located): Maintenance {
  const carried = carriedBy(adapter)
  if (carried) return carried
  throw new Refusal(
    `The adapter in ${file} has no migrations of ours: SqlAdapter of @latchkey/sql has.\n` +
      "The tables of another adapter are made as its own guide says.",
  )
}

/**
 * What the database still lacks, in the words of the migrations; nothing for an adapter that has none of ours. Rejects
 * with what keeps that from being found out.
 */
export async function lackingIn(adapter: Adapter): Promise<readonly string[]> {
  const report = await carriedBy(adapter)?.migrate({ dryRun: true })
  if (!report) return []
  return [...report.applied, ...report.addedFields.map((field) => `column ${field}`)]
}

function carriedBy(adapter: Adapter): Maintenance | undefined {
  const carried: unknown = Reflect.get(adapter, symbol)
  return isMaintenance(carried) ? carried : undefined
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
