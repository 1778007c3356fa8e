import type { Engine, EngineOptions } from "../engine.ts"
import { isSqliteDatabase, type SqliteDatabase } from "./sqlite/driver.ts"
import { sqliteEngine } from "./sqlite/engine.ts"

/** A database connection that the package can use. */
export type SqlDatabase = SqliteDatabase

/**
 * Finds the engine for a database.
 * @throws TypeError when no engine knows the object
 */
export function openEngine(database: SqlDatabase, options: EngineOptions): Engine {
  if (isSqliteDatabase(database)) return sqliteEngine(database, options)
  throw new TypeError(
    "`database` must be an open database: a DatabaseSync of node:sqlite, or an object with its methods prepare and exec.",
  )
}
