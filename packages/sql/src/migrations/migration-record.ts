/** The table that records which steps a database has. */
import { type Compilable, sql } from "kysely"
import type { Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { readInteger } from "../schema/read-column.ts"
import type { EntityField } from "../schema/tables.ts"
import { bindParameters, compileQuery } from "../statement-template.ts"
import type { Store } from "../store.ts"
import type { Migration } from "./migration.ts"

/** Compiles a statement without values. */
export function compileStatement(query: Compilable): Statement {
  return bindParameters(compileQuery(query), {})
}

/** Returns the version of the database; 0 if it has no tables of Latchkey. */
export async function readVersion(store: Store): Promise<number> {
  const { columns, query } = store
  const latest = query
    .selectFrom("LatchkeyMigration")
    .select(sql`max(${columns.ref("LatchkeyMigration", "version")})`.as("version"))
    .where(columns.ref("LatchkeyMigration", "appliedAt"), "is not", null)
  try {
    const { rows } = await store.run("migrate", compileStatement(latest))
    return rows[0]?.["version"] ? readInteger(rows[0], "version") : 0
  } catch (error) {
    if (error instanceof SqlError && error.code === "unmigrated") return 0
    throw error
  }
}

/** Creates the table. Where schema changes cannot be rolled back, an unfinished step has no date. */
export function createMigrationTable({ engine, layout, query }: Store): Statement {
  const { columnTypes: types, tableOptions, supportsTransactionalDdl } = engine.dialect
  const column = (field: EntityField<"LatchkeyMigration">) =>
    layout.column("LatchkeyMigration", field) ?? field
  const table = query.schema
    .createTable("LatchkeyMigration")
    .ifNotExists()
    .addColumn(column("version"), types.integer, (version) => version.notNull().primaryKey())
    .addColumn(column("name"), types.text, (name) => name.notNull())
    .addColumn(column("appliedAt"), types.date, (date) =>
      supportsTransactionalDdl ? date.notNull() : date,
    )
  return compileStatement(tableOptions === undefined ? table : table.modifyEnd(tableOptions))
}

/** Records a step as finished or as begun. */
export function recordStep(store: Store, migration: Migration, isFinished: boolean): Statement {
  const { engine, layout, query } = store
  const values = {
    version: sql.lit(migration.version),
    name: sql.lit(migration.name),
    appliedAt: isFinished ? engine.dialect.now : sql.lit(null),
  }
  const fields = Object.entries(values).map(([field, value]) => [
    layout.column("LatchkeyMigration", field),
    value,
  ])
  return compileStatement(query.insertInto("LatchkeyMigration").values(Object.fromEntries(fields)))
}

/** Records that a begun step is finished. */
export function markStepFinished(store: Store, { version }: Migration): Statement {
  const { columns, engine, layout, query } = store
  const appliedAt = layout.column("LatchkeyMigration", "appliedAt") ?? "appliedAt"
  return compileStatement(
    query
      .updateTable("LatchkeyMigration")
      .set({ [appliedAt]: engine.dialect.now })
      .where(columns.ref("LatchkeyMigration", "version"), "=", sql.lit(version)),
  )
}

/** Returns how far a step was applied. */
export async function readStepState(
  store: Store,
  migration: Migration,
): Promise<"absent" | "begun" | "finished"> {
  try {
    const { rows } = await store.run("migrate", selectStep(store, migration))
    if (rows[0] === undefined) return "absent"
    return Number(rows[0]["finished"]) === 1 ? "finished" : "begun"
  } catch (error) {
    if (error instanceof SqlError && error.code === "unmigrated") return "absent"
    throw error
  }
}

/** Reads one step: whether it was begun, and `finished`. */
export function selectStep({ columns, query }: Store, { version }: Migration): Statement {
  return compileStatement(
    query
      .selectFrom("LatchkeyMigration")
      .select(sql`${columns.ref("LatchkeyMigration", "appliedAt")} is not null`.as("finished"))
      .where(columns.ref("LatchkeyMigration", "version"), "=", sql.lit(version)),
  )
}
