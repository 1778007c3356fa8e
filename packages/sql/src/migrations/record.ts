/** The table that tells which steps a database has. */
import { type Compilable, sql } from "kysely"
import type { Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { bind, compile } from "../query.ts"
import { integer } from "../schema/read.ts"
import type { FieldOf } from "../schema/tables.ts"
import type { Store } from "../store.ts"
import type { Migration } from "./migration.ts"

/** A statement without values. */
export function statementOf(query: Compilable): Statement {
  return bind(compile(query), {})
}

/** Version of the database; 0 when it has no tables of ours. */
export async function versionOf(store: Store): Promise<number> {
  const { columns, query } = store
  const latest = query
    .selectFrom("LatchkeyMigration")
    .select(sql`max(${columns.of("LatchkeyMigration", "version")})`.as("version"))
    .where(columns.of("LatchkeyMigration", "appliedAt"), "is not", null)
  try {
    const { rows } = await store.run("migrate", statementOf(latest))
    return rows[0]?.["version"] ? integer(rows[0], "version") : 0
  } catch (error) {
    if (error instanceof SqlError && error.code === "unmigrated") return 0
    throw error
  }
}

/** Creates the table. A step that is begun and not finished has no date, where steps are no transactions. */
export function createRecord({ engine, layout, query }: Store): Statement {
  const { columnTypes: types, tableOptions, transactionalDdl } = engine.dialect
  const column = (field: FieldOf<"LatchkeyMigration">) =>
    layout.column("LatchkeyMigration", field) ?? field
  const table = query.schema
    .createTable("LatchkeyMigration")
    .ifNotExists()
    .addColumn(column("version"), types.integer, (version) => version.notNull().primaryKey())
    .addColumn(column("name"), types.text, (name) => name.notNull())
    .addColumn(column("appliedAt"), types.date, (date) =>
      transactionalDdl ? date.notNull() : date,
    )
  return statementOf(tableOptions === undefined ? table : table.modifyEnd(tableOptions))
}

/** Records a step, as finished or as begun. */
export function recordStep(store: Store, migration: Migration, finished: boolean): Statement {
  const { engine, layout, query } = store
  const values = {
    version: sql.lit(migration.version),
    name: sql.lit(migration.name),
    appliedAt: finished ? engine.dialect.now : sql.lit(null),
  }
  const fields = Object.entries(values).map(([field, value]) => [
    layout.column("LatchkeyMigration", field),
    value,
  ])
  return statementOf(query.insertInto("LatchkeyMigration").values(Object.fromEntries(fields)))
}

/** Records that a step that was begun is finished. */
export function finishStep(store: Store, { version }: Migration): Statement {
  const { columns, engine, layout, query } = store
  const appliedAt = layout.column("LatchkeyMigration", "appliedAt") ?? "appliedAt"
  return statementOf(
    query
      .updateTable("LatchkeyMigration")
      .set({ [appliedAt]: engine.dialect.now })
      .where(columns.of("LatchkeyMigration", "version"), "=", sql.lit(version)),
  )
}

/** Tells whether a step was begun, or is done. */
export async function isBegun(store: Store, migration: Migration): Promise<boolean> {
  try {
    const { rows } = await store.run("migrate", readStep(store, migration))
    return rows.length > 0
  } catch (error) {
    if (error instanceof SqlError && error.code === "unmigrated") return false
    throw error
  }
}

/** Reads one step: whether it was begun, and `finished`. */
export function readStep({ columns, query }: Store, { version }: Migration): Statement {
  return statementOf(
    query
      .selectFrom("LatchkeyMigration")
      .select(sql`${columns.of("LatchkeyMigration", "appliedAt")} is not null`.as("finished"))
      .where(columns.of("LatchkeyMigration", "version"), "=", sql.lit(version)),
  )
}
