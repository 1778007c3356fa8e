import { columnNameOf } from "./entities/adoption-problem.ts"
import { withTableOptions } from "./entities/entity-tables.ts"
import type { Migration, MigrationContext } from "./migration.ts"

/** Creates the table of leases. */
export const leasesMigration: Migration = {
  version: 2,
  name: "leases",
  statements: (context) => [createLeaseTable(context), createExpiryIndex(context)],
}

function createLeaseTable(context: MigrationContext): ReturnType<typeof withTableOptions> {
  const { date, text } = context.dialect.columnTypes
  const column = (field: string) => columnNameOf(context, "LatchkeyLease", field)
  return withTableOptions(
    context,
    context.query.schema
      .createTable("LatchkeyLease")
      .addColumn(column("key"), context.keyType("LatchkeyLease.key"), (key) =>
        key.notNull().primaryKey(),
      )
      .addColumn(column("holder"), context.keyType("LatchkeyLease.holder"), (holder) =>
        holder.notNull(),
      )
      .addColumn(column("expires"), date, (expires) => expires.notNull())
      .addColumn(column("result"), text),
  )
}

/** Speeds up the removal of expired rows. */
function createExpiryIndex(context: MigrationContext): ReturnType<typeof withTableOptions> {
  return context.query.schema
    .createIndex(`${context.tableNames.LatchkeyLease}_expires_idx`)
    .on("LatchkeyLease")
    .column(columnNameOf(context, "LatchkeyLease", "expires"))
}
