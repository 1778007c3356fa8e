import type { Migration } from "./migration.ts"
import { createOwnIndex, createOwnTable } from "./own-tables.ts"

/** Creates the table of leases, with an index for the removal of expired rows. */
export const leasesMigration: Migration = {
  version: 2,
  name: "leases",
  statements: (context) => [
    createOwnTable(
      context,
      "LatchkeyLease",
      { key: "key", holder: "key", expires: "date", result: "text" },
      ["result"],
    ),
    createOwnIndex(context, "LatchkeyLease", "expires"),
  ],
}
