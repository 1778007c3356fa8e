import type { Dialect, DialectName, Engine, EngineOptions } from "../engine.ts"
import { isKyselyDatabase, type KyselyDatabase } from "./kysely/driver.ts"
import { kyselyEngine } from "./kysely/engine.ts"
import { mysqlDialect } from "./mysql/dialect.ts"
import { isMysqlDatabase, type MysqlDatabase } from "./mysql/driver.ts"
import { mysqlEngine } from "./mysql/engine.ts"
import { postgresDialect } from "./postgres/dialect.ts"
import { isPostgresDatabase, type PostgresDatabase } from "./postgres/driver.ts"
import { postgresEngine } from "./postgres/engine.ts"
import { sqliteDialect } from "./sqlite/dialect.ts"
import { isSqliteDatabase, type SqliteDatabase } from "./sqlite/driver.ts"
import { sqliteEngine } from "./sqlite/engine.ts"

/** A supported database connection or connection pool. */
export type SqlDatabase = KyselyDatabase | MysqlDatabase | PostgresDatabase | SqliteDatabase

/** The dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  mysql: mysqlDialect,
  postgres: postgresDialect,
  sqlite: sqliteDialect,
}

/**
 * Chooses the engine for a database by the database's methods.
 * @throws TypeError if no engine supports the object
 */
export function openEngine(database: SqlDatabase, options: EngineOptions): Engine {
  if (isKyselyDatabase(database)) return kyselyEngine(database, options)
  if (isMysqlDatabase(database)) return mysqlEngine(database, options)
  if (isPostgresDatabase(database)) return postgresEngine(database, options)
  if (isSqliteDatabase(database)) return sqliteEngine(database, options)
  throw new TypeError(
    "`database` must be an open database: a DatabaseSync of node:sqlite or an object with its methods prepare and exec, " +
      "a Pool or Client of pg, a PGlite, a pool of mysql2, or a Kysely instance.",
  )
}
