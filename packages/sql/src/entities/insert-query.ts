import type { Compilable } from "kysely"
import type { EntityName } from "../schema/tables.ts"
import type { QueryBuilder, Store } from "../store.ts"

/**
 * Builds the statement that stores a row. It includes the id if the application makes ids, and returns the id if the
 * database does.
 */
export function createInsertQuery(
  { codecs, columns, engine, layout }: Store,
  entity: EntityName,
  fields: readonly string[],
): (query: QueryBuilder) => Compilable {
  const insertedFields = codecs.id.source === "application" ? ["id", ...fields] : fields
  return (query) => {
    const insert = query.insertInto(entity).values(columns.namedParameters(entity, insertedFields))
    const hasDatabaseId = codecs.id.source === "database" && layout.column(entity, "id") !== null
    return hasDatabaseId && engine.dialect.supportsReturning
      ? insert.returning(columns.selections(entity, ["id"]))
      : insert
  }
}
