/** Opens a database in memory with the SQLite of the runtime. */
import type { SqliteDatabase } from "@latchkey/sql"

interface BunSqlite {
  readonly Database: new (file: string) => SqliteDatabase & { exec(sql: string): unknown }
}

/** Not a literal, because only Bun has this module. */
const bunSqlite: string = "bun:sqlite"

export async function openDatabase(): Promise<SqliteDatabase> {
  if (!("Bun" in globalThis)) return (await import("@latchkey/sql/sqlite")).openSqlite(":memory:")
  const { Database }: BunSqlite = await import(bunSqlite)
  const database = new Database(":memory:")
  database.exec("pragma foreign_keys = on")
  return database
}
