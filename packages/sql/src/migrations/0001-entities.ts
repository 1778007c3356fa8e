import { adoptTable, missingIndices } from "./entities/adopt.ts"
import { tablesOf } from "./entities/tables.ts"
import type { Migration } from "./migration.ts"

/** The entities of the specification, and passkeys. Tables that are adopted get what they lack. */
export const entities: Migration = {
  version: 1,
  name: "entities",
  statements: (context) => [
    ...tablesOf(context).flatMap(({ entity, create }) => {
      const table = context.existing.get(entity)
      return table === undefined ? [create()] : adoptTable(context, entity, table)
    }),
    ...missingIndices(context),
  ],
}
