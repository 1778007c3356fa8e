import { openEngine, type SqlDatabase } from "./engines/open.ts"
import { type MigrationReport, runMigrations } from "./migrations/run.ts"
import { resolveOptions, type SqlOptions } from "./options.ts"
import { createStore } from "./store.ts"

/**
 * Creates Latchkey's tables, or brings them up to date. Call it when deploying, or at start: it may be
 * repeated, and several processes may call it at once.
 *
 * ```ts
 * const { applied } = await migrate(new DatabaseSync("app.db"))
 * ```
 *
 * @param options the same as for `SqlAdapter`
 * @throws SqlError `newer-database` when the database knows steps that this version does not
 * @throws TypeError when an option cannot be used
 */
export async function migrate(
  database: SqlDatabase,
  options: SqlOptions = {},
): Promise<MigrationReport> {
  const resolved = resolveOptions(options)
  return runMigrations(createStore(openEngine(database, resolved), resolved))
}
