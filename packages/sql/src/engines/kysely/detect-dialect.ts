import type { Dialect } from "../../engine.ts"
import { mysqlDialect } from "../mysql/dialect.ts"
import { postgresDialect } from "../postgres/dialect.ts"
import { sqliteDialect } from "../sqlite/dialect.ts"
import type { KyselyDatabase } from "./driver.ts"

/** What an adapter of Kysely says of its database. */
interface AdapterFeatures {
  readonly supportsTransactionalDdl?: boolean
  readonly supportsReturning?: boolean
  readonly supportsOutput?: boolean
}

/**
 * Finds the dialect of a Kysely instance by what its adapter says of the database: classes are not compared, because
 * the application may have another copy of Kysely, or a dialect of its own.
 * @throws TypeError for databases that are none of ours
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
