import type { InsertQueryBuilder, InsertResult, RawBuilder } from "kysely"
import type { EntityName, KyselyTables } from "../schema/tables.ts"
import type { QueryBuilder, Store } from "../store.ts"

/**
 * Builds the statement that stores a row, or changes the one with the same key.
 * @param key the field that identifies a row
 * @param update the columns to change; by default, all get the new values
 */
export function createUpsertQuery<Name extends EntityName>(
  { columns, engine }: Store,
  entity: Name,
  key: string,
  fields: readonly string[],
  update: Readonly<Record<string, RawBuilder<unknown>>> = columns.namedParameters(
    entity,
    fields.filter((field) => field !== key),
  ),
): (query: QueryBuilder) => InsertQueryBuilder<KyselyTables, EntityName, InsertResult> {
  return (query) => {
    const insert = query
      .insertInto<EntityName>(entity)
      .values(columns.namedParameters(entity, fields))
    return engine.dialect.supportsInsertIgnore
      ? insert.onDuplicateKeyUpdate(update)
      : insert.onConflict((conflict) =>
          conflict.expression(columns.ref(entity, key)).doUpdateSet(update),
        )
  }
}
