import type { Compilable } from "kysely"
import type { Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { bind, compile } from "../query.ts"
import { integer } from "../schema/read.ts"
import type { Store } from "../store.ts"
import { migrations as released } from "./list.ts"
import type { Migration, MigrationContext } from "./migration.ts"
import { addUserFields } from "./user-fields.ts"

/** What `migrate` did. */
export interface MigrationReport {
  /** Version that the database had; 0 for one without tables. */
  readonly from: number
  /** Version that it has now. */
  readonly to: number
  /** The steps that this call applied, such as `0001-entities`. Steps that another process applied are not among them. */
  readonly applied: readonly string[]
  /** Columns that this call added to users for the option `userFields`. */
  readonly addedFields: readonly string[]
}

const operation = "migrate"

/** Applies the steps that a database lacks. */
export async function runMigrations(
  store: Store,
  migrations: readonly Migration[] = released,
): Promise<MigrationReport> {
  const from = await versionOf(store)
  if (from > migrations.length) {
    const detail = `the database has version ${from}, this code knows version ${migrations.length}`
    throw new SqlError("newer-database", { operation, detail })
  }
  const applied: string[] = []
  for (const migration of migrations.slice(from)) {
    if (await apply(store, migration)) applied.push(label(migration))
  }
  return { from, to: migrations.length, applied, addedFields: await addUserFields(store) }
}

/** Version of the database; 0 when it has no tables of ours. */
async function versionOf(store: Store): Promise<number> {
  const latest = statement(
    store.query
      .selectFrom("LatchkeyMigration")
      .select((expression) => expression.fn.max("version").as("version")),
  )
  try {
    const { rows } = await store.run(operation, latest)
    return rows[0]?.["version"] ? integer(rows[0], "version") : 0
  } catch (error) {
    if (error instanceof SqlError && error.code === "unmigrated") return 0
    throw error
  }
}

/**
 * Applies one step in one transaction. Its first act is to record the step, under a unique number: when two
 * processes try, the second one fails there, before it has changed anything.
 * @returns false when another process was first
 */
async function apply(store: Store, migration: Migration): Promise<boolean> {
  try {
    await store.transaction(operation, [...record(store, migration), ...changes(store, migration)])
    return true
  } catch (error) {
    if ((await versionOf(store)) >= migration.version) return false
    throw error
  }
}

function record(store: Store, { version, name }: Migration): readonly Statement[] {
  const { query } = store
  const { types, tableOptions } = contextOf(store)
  const table = query.schema
    .createTable("LatchkeyMigration")
    .ifNotExists()
    .addColumn("version", types.integer, (column) => column.notNull().primaryKey())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("appliedAt", types.date, (column) => column.notNull())
  const appliedAt = store.codecs.date.encode(new Date())
  return [
    statement(tableOptions === undefined ? table : table.modifyEnd(tableOptions)),
    statement(query.insertInto("LatchkeyMigration").values({ version, name, appliedAt })),
  ]
}

function changes(store: Store, migration: Migration): readonly Statement[] {
  return migration.statements(contextOf(store)).map(statement)
}

function contextOf({ engine, names, query }: Store): MigrationContext {
  const { columnTypes: types, tableOptions } = engine.dialect
  return { names, query, types, tableOptions }
}

function statement(query: Compilable): Statement {
  return bind(compile(query), {})
}

function label({ version, name }: Migration): string {
  return `${String(version).padStart(4, "0")}-${name}`
}
