/** Opens a database as `@latchkey/sql/sqlite` does, with the SQLite of Bun. */
import { Database } from "bun:sqlite"

export function openSqlite(path: string): Database {
  const database = new Database(path)
  database.exec("pragma foreign_keys = on")
  return database
}
