import type { DialectName, Engine } from "./engine.ts"
import { dialects, openEngine, type SqlDatabase } from "./engines/open-engine.ts"
import { createMigrationScript } from "./migrations/migration-script.ts"
import { type MigrationReport, runMigrations } from "./migrations/run-migrations.ts"
import { resolveOptions, type SqlOptions } from "./options.ts"
import { createStore } from "./store.ts"

/** Options of `migrate`. */
export interface MigrateOptions extends SqlOptions {
  /**
   * Changes nothing, and reports what would be done.
   * @defaultValue false
   */
  readonly dryRun?: boolean
}

/**
 * Creates Latchkey's tables, or updates them. Call it when you deploy, or when the application starts: you may repeat
 * it, and several processes may call it at the same time.
 *
 * ```ts
 * const { applied } = await migrate(new DatabaseSync("app.db"))
 * ```
 *
 * @param options the same as for `SqlAdapter`
 * @throws SqlError `newer-database` if a later major version has changed the tables, `name-taken` if the
 *   application has a table of one of the names, `table-unfit` if a table cannot be adopted
 * @throws TypeError if an option cannot be used
 */
export async function migrate(
  database: SqlDatabase,
  { dryRun = false, ...options }: MigrateOptions = {},
): Promise<MigrationReport> {
  if (typeof dryRun !== "boolean") throw new TypeError("`dryRun` must be true or false.")
  const resolved = resolveOptions(options)
  const store = createStore(openEngine(database, resolved), resolved)
  return runMigrations(store, { adopt: resolved.adopt, dryRun })
}

/**
 * Returns the statements that `migrate` would run on an empty database, for people who change schemas by hand.
 * @param dialect `mysql` stands for MariaDB, too
 * @throws TypeError if an option cannot be used
 */
export function migrationSql(dialect: DialectName, options: SqlOptions = {}): string {
  if (!Object.hasOwn(dialects, dialect)) {
    throw new TypeError(`\`dialect\` must be one of ${Object.keys(dialects).join(", ")}.`)
  }
  return createMigrationScript(
    createStore(createCompileOnlyEngine(dialect), resolveOptions(options)),
  )
}

/** Creates an engine without a database. */
function createCompileOnlyEngine(name: DialectName): Engine {
  const throwNoDatabase = () => {
    throw new TypeError("There is no database.")
  }
  return { dialect: dialects[name], execute: throwNoDatabase, transaction: throwNoDatabase }
}
