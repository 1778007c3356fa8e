import type { DatabaseSync } from "node:sqlite"
import { migrationSql } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

const schema = migrationSql("sqlite", { secondFactor: true })

/** Opens a database in memory with all tables: the statements of `migrate`, which are planned once for all tests. */
export function openMigratedDatabase(): DatabaseSync {
  const database = openSqlite(":memory:")
  database.exec(schema)
  return database
}
