import { SqlError } from "../errors.ts"
import type { Store } from "../store.ts"
import { applyStep } from "./apply.ts"
import { existingTables } from "./existing.ts"
import { migrations as released } from "./list.ts"
import type { Existing, Migration } from "./migration.ts"
import { planStep } from "./plan.ts"
import { isBegun, versionOf } from "./record.ts"
import { addField, missingFields } from "./user-fields.ts"

/** What `migrate` did, or would do. */
export interface MigrationReport {
  /** Version that the database had; 0 for one without tables. */
  readonly from: number
  /** Version that it has now. */
  readonly to: number
  /** The steps that this call applied, such as `0001-entities`. Steps that another process applied are not among them. */
  readonly applied: readonly string[]
  /** Columns that this call added to users for the option `userFields`. */
  readonly addedFields: readonly string[]
  /** The statements that changed the schema, or would. */
  readonly statements: readonly string[]
}

/** How migrations are run. */
export interface RunOptions {
  /** Whether tables that are there already are taken over. */
  readonly adopt: boolean
  /** Whether nothing is changed. */
  readonly dryRun: boolean
}

/** Applies the steps that a database lacks. */
export async function runMigrations(
  store: Store,
  { adopt, dryRun }: RunOptions,
  migrations: readonly Migration[] = released,
): Promise<MigrationReport> {
  const from = await versionOf(store)
  if (from > migrations.length) {
    const detail = `the database has version ${from}, this code knows version ${migrations.length}`
    throw new SqlError("newer-database", { operation: "migrate", detail })
  }
  const existing = adopt && from === 0 ? await foreignTables(store, migrations) : new Map()
  const applied: string[] = []
  const statements: string[] = []
  for (const migration of migrations.slice(from)) {
    const step = planStep(store, migration, existing)
    if (!dryRun && !(await applyStep(store, step))) continue
    applied.push(label(migration))
    statements.push(...step.statements.map(({ sql }) => sql))
  }
  const addedFields: string[] = []
  for (const { name, statement } of await missingFields(store)) {
    if (!dryRun && !(await addField(store, name, statement))) continue
    addedFields.push(name)
    statements.push(statement.sql)
  }
  return { from, to: migrations.length, applied, addedFields, statements }
}

/** The tables that are there already. Those of a step that was begun, perhaps by another process just now, are ours. */
async function foreignTables(store: Store, [first]: readonly Migration[]): Promise<Existing> {
  const existing = await existingTables(store)
  return first !== undefined && (await isBegun(store, first)) ? new Map() : existing
}

function label({ version, name }: Migration): string {
  return `${String(version).padStart(4, "0")}-${name}`
}
