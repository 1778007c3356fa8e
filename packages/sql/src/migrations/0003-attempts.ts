import { columnNameOf } from "./entities/adoption-problem.ts"
import { withTableOptions } from "./entities/entity-tables.ts"
import type { Migration, MigrationContext } from "./migration.ts"

/** Creates the table of counted attempts to sign in. */
export const attemptsMigration: Migration = {
  version: 3,
  name: "attempts",
  statements: (context) => [createAttemptTable(context), createExpiryIndex(context)],
}

function createAttemptTable(context: MigrationContext): ReturnType<typeof withTableOptions> {
  const { date, integer } = context.dialect.columnTypes
  const column = (field: string) => columnNameOf(context, "LatchkeyAttempt", field)
  return withTableOptions(
    context,
    context.query.schema
      .createTable("LatchkeyAttempt")
      .addColumn(column("key"), context.keyType("LatchkeyAttempt.key"), (key) =>
        key.notNull().primaryKey(),
      )
      .addColumn(column("count"), integer, (count) => count.notNull())
      .addColumn(column("expires"), date, (expires) => expires.notNull()),
  )
}

/** Speeds up the removal of expired rows. */
function createExpiryIndex(context: MigrationContext): ReturnType<typeof withTableOptions> {
  return context.query.schema
    .createIndex(`${context.tableNames.LatchkeyAttempt}_expires_idx`)
    .on("LatchkeyAttempt")
    .column(columnNameOf(context, "LatchkeyAttempt", "expires"))
}
