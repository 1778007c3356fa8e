import type { Migration } from "./migration.ts"
import { createOwnIndex, createOwnTable } from "./own-tables.ts"

const entity = "LatchkeyFactor"

/**
 * Creates the table of second factors, for the option `secondFactor`. It has no foreign key: the database may not have the
 * users of its own.
 */
export const factorsMigration: Migration = {
  version: -2,
  name: "factors",
  statements: (context) => [
    createOwnTable(context, entity, {
      id: "key",
      userId: "key",
      method: "text",
      createdAt: "date",
      version: "integer",
      data: "text",
    }),
    createOwnIndex(context, entity, "userId"),
  ],
}
