import type { Compilable } from "kysely"
import type { Entity } from "../schema/tables.ts"
import type { Query, Store } from "../store.ts"

/**
 * The statement that stores a row. Its id is among the values where the library makes ids; where the database does,
 * the statement gives it back.
 */
export function insertion(
  { codecs, columns, engine, layout }: Store,
  entity: Entity,
  fields: readonly string[],
): (query: Query) => Compilable {
  const own = codecs.id.source === "application" ? ["id", ...fields] : fields
  return (query) => {
    const insert = query.insertInto(entity).values(columns.slots(entity, own))
    const counted = codecs.id.source === "database" && layout.column(entity, "id") !== null
    return counted && engine.dialect.supportsReturning
      ? insert.returning(columns.read(entity, ["id"]))
      : insert
  }
}
