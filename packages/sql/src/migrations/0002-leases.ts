import { finished } from "./entities/tables.ts"
import { named } from "./entities/unfitness.ts"
import type { Migration, MigrationContext } from "./migration.ts"

/** What processes agree by about who of them does something. */
export const leases: Migration = {
  version: 2,
  name: "leases",
  statements: (context) => [table(context), expiry(context)],
}

function table(context: MigrationContext): ReturnType<typeof finished> {
  const { date, text } = context.dialect.columnTypes
  const column = (field: string) => named(context, "LatchkeyLease", field)
  return finished(
    context,
    context.query.schema
      .createTable("LatchkeyLease")
      .addColumn(column("key"), context.key("LatchkeyLease.key"), (key) =>
        key.notNull().primaryKey(),
      )
      .addColumn(column("holder"), context.key("LatchkeyLease.holder"), (holder) =>
        holder.notNull(),
      )
      .addColumn(column("expires"), date, (expires) => expires.notNull())
      .addColumn(column("result"), text),
  )
}

/** For removing what has expired. */
function expiry(context: MigrationContext): ReturnType<typeof finished> {
  return context.query.schema
    .createIndex(`${context.names.LatchkeyLease}_expires_idx`)
    .on("LatchkeyLease")
    .column(named(context, "LatchkeyLease", "expires"))
}
