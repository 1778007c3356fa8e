import { type Compilable, CreateTableNode } from "kysely"
import { limits } from "../schema/limits.ts"
import type { Store } from "../store.ts"
import type { Step } from "./apply.ts"
import type { Existing, Migration, MigrationContext } from "./migration.ts"
import { statementOf } from "./record.ts"

/** What a step does to a database with these tables. */
export function planStep(store: Store, migration: Migration, existing: Existing): Step {
  const queries = migration.statements(contextOf(store, existing))
  return { migration, statements: queries.map(statementOf), creates: queries.flatMap(created) }
}

function contextOf(store: Store, existing: Existing): MigrationContext {
  const { dialect } = store.engine
  return {
    dialect,
    existing,
    query: store.query,
    names: store.layout.tables,
    ids: store.codecs.id.source,
    tableOptions: dialect.tableOptions,
    column: (entity, field) => store.layout.column(entity, field),
    key: (column) => dialect.columnTypes.key(limits[column]),
  }
}

function created(query: Compilable): string[] {
  const node = query.compile().query
  return CreateTableNode.is(node) ? [node.table.table.identifier.name] : []
}
