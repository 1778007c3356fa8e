import type { Migration } from "./migration.ts"
import { createOwnIndex, createOwnTable } from "./own-tables.ts"

/** Creates the table of counted attempts to sign in, with an index for the removal of expired rows. */
export const attemptsMigration: Migration = {
  version: 3,
  name: "attempts",
  statements: (context) => [
    createOwnTable(context, "LatchkeyAttempt", { key: "key", count: "integer", expires: "date" }),
    createOwnIndex(context, "LatchkeyAttempt", "expires"),
  ],
}
