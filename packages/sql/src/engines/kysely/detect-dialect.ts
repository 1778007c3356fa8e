import type { Dialect } from "../../engine.ts"
import { mysqlDialect } from "../mysql/dialect.ts"
import { postgresDialect } from "../postgres/dialect.ts"
import { sqliteDialect } from "../sqlite/dialect.ts"
import type { KyselyDatabase } from "./driver.ts"

/** Features that an adapter of Kysely declares. */
interface AdapterFeatures {
  readonly supportsTransactionalDdl?: boolean
  readonly supportsReturning?: boolean
  readonly supportsOutput?: boolean
}

/**
 * Detects the dialect of a Kysely instance from the features that its adapter declares. Classes are not compared,
 * because the application may have another copy of Kysely, or a dialect of its own.
 * @throws TypeError for unsupported databases
 */
export function detectDialect(database: KyselyDatabase): Dialect {
  const features: AdapterFeatures = database.getExecutor().adapter
  if (!features.supportsOutput) {
    if (features.supportsReturning) {
      return features.supportsTransactionalDdl ? postgresDialect : sqliteDialect
    }
    if (!features.supportsTransactionalDdl) return mysqlDialect
  }
  throw new TypeError(
    "`database` is a Kysely instance of a database that is not supported: PostgreSQL, MySQL, MariaDB and SQLite are.",
  )
}
