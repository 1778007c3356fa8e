import type { Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import type { Store } from "../store.ts"
import { listOptionalMigrations, migrations as released } from "./all-migrations.ts"
import { applyStep } from "./apply-step.ts"
import { readExistingTables } from "./existing-tables.ts"
import type { ExistingTables, Migration } from "./migration.ts"
import { readStepState, readVersion } from "./migration-record.ts"
import { planStep } from "./plan-step.ts"
import { addUserField, findMissingUserFields } from "./user-field-columns.ts"

/** The changes that `migrate` made, or would make. */
export interface MigrationReport {
  /** Version before the migration; 0 for a database without tables. */
  readonly from: number
  /** Version after the migration. */
  readonly to: number
  /**
   * The steps that this call applied, such as `0001-entities`, or `session-records` and `factors` for options. Steps
   * that another process applied are not included.
   */
  readonly applied: readonly string[]
  /** Columns that this call added for the option `userFields`. */
  readonly addedFields: readonly string[]
  /** The statements that changed the schema, or would change it. */
  readonly statements: readonly string[]
}

/** Options of `runMigrations`. */
export interface RunMigrationsOptions {
  /** Whether existing tables are adopted. */
  readonly adopt: boolean
  /** Whether nothing is changed. */
  readonly dryRun: boolean
  /** Called with the name of each step, such as `0001-entities` or `column role`, before it is applied. */
  readonly onStep?: (step: string) => void
}

/**
 * How many versions of databases belong to each major version. Its steps only add, so that its older releases work with all
 * of them, and a deployment can be rolled back. The steps of the next one begin at this number, which leaves a gap.
 */
const versionsPerMajor = 1000

/** Applies the steps that a database lacks. */
export async function runMigrations(
  store: Store,
  { adopt, dryRun, onStep }: RunMigrationsOptions,
  migrations: readonly Migration[] = released,
): Promise<MigrationReport> {
  const from = await readVersion(store)
  const latest = migrations.at(-1)?.version ?? 0
  if (Math.floor(from / versionsPerMajor) > Math.floor(latest / versionsPerMajor)) {
    const detail = `the database has version ${from}, this code knows version ${latest}`
    throw new SqlError("newer-database", { operation: "migrate", detail })
  }
  const existing = adopt && from === 0 ? await findAdoptableTables(store, migrations) : new Map()
  const applied: string[] = []
  const statements: string[] = []
  let indexError: SqlError | undefined
  const missing = migrations.filter(({ version }) => version > from)
  for (const migration of listOptionalMigrations(store))
    if ((await readStepState(store, migration)) !== "finished") missing.push(migration)
  for (const migration of missing) {
    const step = planStep(store, migration, existing)
    if (!dryRun) onStep?.(formatStepName(migration))
    if (!dryRun && !(await applyStep(store, step))) continue
    applied.push(formatStepName(migration))
    statements.push(...[...step.statements, ...step.concurrentIndexes].map(({ sql }) => sql))
    const error = dryRun ? undefined : await createIndexes(store, step.concurrentIndexes)
    indexError ??= error
  }
  const addedFields: string[] = []
  for (const { name, statement } of await findMissingUserFields(store)) {
    if (!dryRun) onStep?.(`column ${name}`)
    if (!dryRun && !(await addUserField(store, name, statement))) continue
    addedFields.push(name)
    statements.push(statement.sql)
  }
  if (indexError) throw indexError
  return { from, to: Math.max(from, latest), applied, addedFields, statements }
}

/**
 * Creates indexes, one after the other. If that fails, returns an error that lists those that were not created: the next
 * migration does not create them, and no further step depends on them.
 */
async function createIndexes(
  store: Store,
  indexes: readonly Statement[],
): Promise<SqlError | undefined> {
  for (const [position, index] of indexes.entries()) {
    try {
      await store.run("migrate", index)
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      const missing = indexes.slice(position).map(({ sql }) => sql)
      return new SqlError(error.code, {
        operation: "migrate",
        detail: `the tables are migrated, but an index was not created: ${error.detail}`,
        hint: `Drop it if it is invalid, and create what is missing: ${missing.join("; ")}`,
        cause: error,
      })
    }
  }
  return undefined
}

/** Returns the existing tables. If the step was begun, perhaps by another process just now, they are Latchkey's. */
async function findAdoptableTables(
  store: Store,
  [first]: readonly Migration[],
): Promise<ExistingTables> {
  const existing = await readExistingTables(store)
  const isStarted = first !== undefined && (await readStepState(store, first)) !== "absent"
  return isStarted ? new Map() : existing
}

function formatStepName({ version, name }: Migration): string {
  return version < 0 ? name : `${String(version).padStart(4, "0")}-${name}`
}
