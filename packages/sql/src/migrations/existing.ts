import type { Statement } from "../engine.ts"
import { text } from "../schema/read.ts"
import { type Entity, entities } from "../schema/tables.ts"
import type { Store } from "../store.ts"
import type { Existing, ExistingTable } from "./migration.ts"

/** Looks at the tables that are there already under our names. */
export async function existingTables(store: Store): Promise<Existing> {
  const existing = new Map<Entity, ExistingTable>()
  // The names of entities.
  for (const entity of Object.keys(entities) as Entity[]) {
    if (entity === "LatchkeyMigration") continue
    const table = await tableOf(store, store.layout.tables[entity])
    if (table.columns.size > 0) existing.set(entity, table)
  }
  return existing
}

async function tableOf(store: Store, name: string): Promise<ExistingTable> {
  const { columns, indexed, references, uniques } = store.engine.dialect.introspection
  const unique = await store.run("migrate", uniques(name))
  const indices = new Map<string, Set<string>>()
  for (const row of unique.rows) {
    const index = text(row, "index")
    indices.set(index, (indices.get(index) ?? new Set()).add(text(row, "column")))
  }
  return {
    columns: await names(store, columns(name)),
    indexed: await names(store, indexed(name)),
    references: await names(store, references(name)),
    uniques: [...indices.values()],
  }
}

async function names(store: Store, statement: Statement): Promise<ReadonlySet<string>> {
  const { rows } = await store.run("migrate", statement)
  return new Set(rows.map((row) => text(row, "name")))
}

/** Names of the columns of a table; none when there is no table. */
export function columnsOf(store: Store, table: string): Promise<ReadonlySet<string>> {
  return names(store, store.engine.dialect.introspection.columns(table))
}
