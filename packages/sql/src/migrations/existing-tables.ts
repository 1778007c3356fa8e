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
  const {
    looselyComparedColumns,
    leadingIndexColumns,
    foreignKeyColumns,
    nonDateColumns,
    reusedIds,
    uniqueIndexes,
  } = store.engine.dialect.introspection
  const { concurrentIndexing } = store.engine.dialect
  const name = store.layout.tables[entity]
  const present = (fields: readonly string[]) =>
    fields
      .flatMap((field) => store.layout.column(entity, field) ?? [])
      .filter((column) => columns.has(column))
  const presentDateColumns = present(
    entityFields[entity].filter((field) => isDateField(entity, field)),
  )
  const indices = new Map<string, Set<string>>()
  for (const row of await queryRows(store, uniqueIndexes(name))) {
    const index = readText(row, "index")
    indices.set(index, (indices.get(index) ?? new Set()).add(readText(row, "column")))
  }
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
    leadingIndexColumns: await queryNames(store, leadingIndexColumns(name)),
    foreignKeyColumns: await queryNames(store, foreignKeyColumns(name)),
    uniqueIndexes: [...indices.values()],
    looselyComparedColumns: new Map(
      looseRows.map((row) => [readText(row, "name"), Boolean(row["caseOnly"])]),
    ),
    nonDateColumns: presentDateColumns.filter((column) => nonDateNames.has(column)),
    reusesIds: (await queryRows(store, reusedIds?.(name))).length > 0,
    isLarge: (await queryRows(store, concurrentIndexing?.findLargeTable(name))).length > 0,
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

/** Returns the names of a table's columns; none if there is no table. */
export function readColumnNames(store: Store, table: string): Promise<ReadonlySet<string>> {
  return queryNames(store, store.engine.dialect.introspection.columns(table))
}
