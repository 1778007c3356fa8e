import {
  adoptTable,
  assertNoLargeTableLacksConstraints,
  listMissingIndexes,
} from "./entities/adopt-table.ts"
import { listEntityTables } from "./entities/entity-tables.ts"
import type { Migration } from "./migration.ts"

/** Creates the tables of the entities. Adopted tables get what they lack. */
export const entitiesMigration: Migration = {
  version: 1,
  name: "entities",
  statements(context) {
    const tables = listEntityTables(context).flatMap(({ entity, create }) => {
      const table = context.existing.get(entity)
      return table === undefined ? [create()] : adoptTable(context, entity, table)
    })
    assertNoLargeTableLacksConstraints(context)
    const indexes = listMissingIndexes(context).filter(({ isConcurrent }) => !isConcurrent)
    return [...tables, ...indexes.map(({ create }) => create)]
  },
  concurrentIndexes: (context) =>
    listMissingIndexes(context)
      .filter(({ isConcurrent }) => isConcurrent)
      .map(({ create }) => create),
}
