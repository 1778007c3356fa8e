import type { Row, Statement } from "../engine.ts"
import { dates } from "../schema/columns.ts"
import { text } from "../schema/read.ts"
import { type Entity, entities } from "../schema/tables.ts"
import type { Store } from "../store.ts"
import type { Existing, ExistingTable } from "./migration.ts"

/** What no other library makes. */
const own: readonly Entity[] = ["LatchkeyLease", "LatchkeyMigration"]

/** Looks at the tables that are there already under our names. */
export async function existingTables(store: Store): Promise<Existing> {
  const existing = new Map<Entity, ExistingTable>()
  // The names of entities.
  for (const entity of Object.keys(entities) as Entity[]) {
    if (own.includes(entity)) continue
    const columns = await columnsOf(store, store.layout.tables[entity])
    if (columns.size > 0) existing.set(entity, await tableOf(store, entity, columns))
  }
  return existing
}

async function tableOf(
  store: Store,
  entity: Entity,
  columns: ReadonlySet<string>,
): Promise<ExistingTable> {
  const { generous, indexed, references, undated, uniques } = store.engine.dialect.introspection
  const name = store.layout.tables[entity]
  const present = (fields: readonly string[]) =>
    fields
      .flatMap((field) => store.layout.column(entity, field) ?? [])
      .filter((column) => columns.has(column))
  const dated = present(entities[entity].filter((field) => dates.includes(`${entity}.${field}`)))
  const indices = new Map<string, Set<string>>()
  for (const row of await rowsOf(store, uniques(name))) {
    const index = text(row, "index")
    indices.set(index, (indices.get(index) ?? new Set()).add(text(row, "column")))
  }
  const loose = await rowsOf(store, generous?.(name, present(entities[entity])))
  const others = await names(store, dated.length === 0 ? undefined : undated?.(name, dated))
  return {
    columns,
    indexed: await names(store, indexed(name)),
    references: await names(store, references(name)),
    uniques: [...indices.values()],
    generous: new Map(loose.map((row) => [text(row, "name"), Boolean(row["caseOnly"])])),
    undated: dated.filter((column) => others.has(column)),
  }
}

async function rowsOf(store: Store, statement: Statement | undefined): Promise<readonly Row[]> {
  return statement === undefined ? [] : (await store.run("migrate", statement)).rows
}

async function names(store: Store, statement: Statement | undefined): Promise<ReadonlySet<string>> {
  return new Set((await rowsOf(store, statement)).map((row) => text(row, "name")))
}

/** Names of the columns of a table; none when there is no table. */
export function columnsOf(store: Store, table: string): Promise<ReadonlySet<string>> {
  return names(store, store.engine.dialect.introspection.columns(table))
}
