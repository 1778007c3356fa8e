import { readText } from "@latchkey/adapter-kit"
import type { Row, Statement } from "../engine.ts"
import { isDateField } from "../schema/columns.ts"
import { type EntityName, entityFields } from "../schema/tables.ts"
import type { Store } from "../store.ts"
import type { ExistingTable, ExistingTables } from "./migration.ts"

/** Inspects the existing tables with the configured names. */
export async function readExistingTables(store: Store): Promise<ExistingTables> {
  const existing = new Map<EntityName, ExistingTable>()
  for (const entity of Object.keys(entityFields) as EntityName[]) {
    // Other libraries have no such tables.
    if (entity.startsWith("Latchkey")) continue
    const columns = await readColumnNames(store, store.layout.tables[entity])
    if (columns.size > 0) existing.set(entity, await readExistingTable(store, entity, columns))
  }
  return existing
}

async function readExistingTable(
  store: Store,
  entity: EntityName,
  columns: ReadonlySet<string>,
): Promise<ExistingTable> {
  const { looselyComparedColumns, foreignKeyColumns, nonDateColumns, reusedIds } =
    store.engine.dialect.introspection
  const { concurrentIndexes } = store.engine.dialect
  const name = store.layout.tables[entity]
  const present = (fields: readonly string[]) =>
    fields
      .flatMap((field) => store.layout.column(entity, field) ?? [])
      .filter((column) => columns.has(column))
  const presentDateColumns = present(
    entityFields[entity].filter((field) => isDateField(entity, field)),
  )
  const looseRows = await queryRows(
    store,
    looselyComparedColumns(name, present(entityFields[entity])),
  )
  const nonDateNames = await queryNames(
    store,
    presentDateColumns.length === 0 ? undefined : nonDateColumns?.(name, presentDateColumns),
  )
  return {
    columns,
    leadingIndexColumns: await readIndexedColumns(store, name),
    foreignKeyColumns: await queryNames(store, foreignKeyColumns(name)),
    uniqueIndexes: await readUniqueIndexes(store, name),
    looselyComparedColumns: new Map(
      looseRows.map((row) => [readText(row, "name"), Boolean(row["caseOnly"])]),
    ),
    nonDateColumns: presentDateColumns.filter((column) => nonDateNames.has(column)),
    reusesIds: (await queryRows(store, reusedIds?.(name))).length > 0,
    isLarge: (await queryRows(store, concurrentIndexes?.findLargeTable(name))).length > 0,
  }
}

async function queryRows(store: Store, statement: Statement | undefined): Promise<readonly Row[]> {
  return statement === undefined ? [] : (await store.run("migrate", statement)).rows
}

async function queryNames(
  store: Store,
  statement: Statement | undefined,
): Promise<ReadonlySet<string>> {
  return new Set((await queryRows(store, statement)).map((row) => readText(row, "name")))
}

/** Returns the columns of each unique index of a table. */
export async function readUniqueIndexes(
  store: Store,
  table: string,
): Promise<readonly ReadonlySet<string>[]> {
  const indexes = new Map<string, Set<string>>()
  const { uniqueIndexes } = store.engine.dialect.introspection
  for (const row of await queryRows(store, uniqueIndexes(table))) {
    const index = readText(row, "index")
    indexes.set(index, (indexes.get(index) ?? new Set()).add(readText(row, "column")))
  }
  return [...indexes.values()]
}

/** Whether an index has these columns, in any order. */
export function isSameSet(index: ReadonlySet<string>, columns: readonly string[]): boolean {
  return index.size === columns.length && columns.every((column) => index.has(column))
}

/** Returns the first column of each index of a table. */
export function readIndexedColumns(store: Store, table: string): Promise<ReadonlySet<string>> {
  return queryNames(store, store.engine.dialect.introspection.leadingIndexColumns(table))
}

/** Returns the names of a table's columns; none if there is no table. */
export function readColumnNames(store: Store, table: string): Promise<ReadonlySet<string>> {
  return queryNames(store, store.engine.dialect.introspection.columns(table))
}
