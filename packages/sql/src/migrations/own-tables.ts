/** Tables that other libraries do not have. */
import type { Compilable } from "kysely"
import type { KeyColumn } from "../schema/key-lengths.ts"
import type { EntityName } from "../schema/tables.ts"
import { columnNameOf } from "./entities/adoption-problem.ts"
import { withTableOptions } from "./entities/entity-tables.ts"
import type { MigrationContext } from "./migration.ts"

type OwnEntity = Extract<EntityName, `Latchkey${string}`>

/**
 * Builds the statement that creates a table.
 * @param fields the kind of each field, of which the first one identifies a row
 * @param nullable the fields that need no value
 */
export function createOwnTable(
  context: MigrationContext,
  entity: OwnEntity,
  fields: Readonly<Record<string, "date" | "integer" | "key" | "text">>,
  nullable: readonly string[] = [],
): Compilable {
  let table = context.query.schema.createTable(entity)
  for (const [at, [field, kind]] of Object.entries(fields).entries()) {
    const type =
      kind === "key"
        ? // Each such field has a length.
          context.keyType(`${entity}.${field}` as KeyColumn)
        : context.dialect.columnTypes[kind]
    table = table.addColumn(columnNameOf(context, entity, field), type, (column) => {
      const required = nullable.includes(field) ? column : column.notNull()
      return at === 0 ? required.primaryKey() : required
    })
  }
  return withTableOptions(context, table)
}

/** Builds the statement that creates the index of a field. */
export function createOwnIndex(
  context: MigrationContext,
  entity: OwnEntity,
  field: string,
  name: string = field,
): Compilable {
  return context.query.schema
    .createIndex(`${context.tableNames[entity]}_${name}_idx`)
    .on(entity)
    .column(columnNameOf(context, entity, field))
}
