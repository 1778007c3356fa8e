import { type Compilable, CreateTableNode } from "kysely"
import { maxKeyLengths } from "../schema/key-lengths.ts"
import type { Store } from "../store.ts"
import type { PlannedStep } from "./apply-step.ts"
import type { ExistingTables, Migration, MigrationContext } from "./migration.ts"
import { compileStatement } from "./migration-record.ts"

/** Plans the effect of a step on a database with these tables. */
export function planStep(
  store: Store,
  migration: Migration,
  existing: ExistingTables,
): PlannedStep {
  const context = createMigrationContext(store, existing)
  const { concurrentIndexing } = store.engine.dialect
  const queries = migration.statements(context)
  const indexes = migration.concurrentIndexes?.(context).map(compileStatement) ?? []
  return {
    migration,
    statements: queries.map(compileStatement),
    concurrentIndexes: concurrentIndexing ? indexes.map(concurrentIndexing.create) : [],
    createdTables: queries.flatMap(findCreatedTables),
  }
}

function createMigrationContext(store: Store, existing: ExistingTables): MigrationContext {
  const { dialect } = store.engine
  return {
    dialect,
    existing,
    query: store.query,
    tableNames: store.layout.tables,
    idSource: store.codecs.id.source,
    tableOptions: dialect.tableOptions,
    columnName: (entity, field) => store.layout.column(entity, field),
    keyType: (column) => dialect.columnTypes.key(maxKeyLengths[column]),
  }
}

function findCreatedTables(query: Compilable): string[] {
  const node = query.compile().query
  return CreateTableNode.is(node) ? [node.table.table.identifier.name] : []
}
