/** The databases of the tests. All are real. */

import type { DatabaseKind } from "./database-kinds/database-kind.ts"
import { kyselyKinds } from "./database-kinds/kysely.ts"
import { mariadbKinds } from "./database-kinds/mariadb.ts"
import { postgresKinds } from "./database-kinds/postgres.ts"
import { testsAllDatabases } from "./database-kinds/servers.ts"
import { sqliteKinds } from "./database-kinds/sqlite.ts"

export const databaseKinds: readonly DatabaseKind[] = [
  ...sqliteKinds,
  ...postgresKinds,
  ...mariadbKinds,
]

/** The same databases, and each through a Kysely instance. */
export const databaseKindsWithKysely: readonly DatabaseKind[] = [...databaseKinds, ...kyselyKinds]

/** The databases on which suites are repeated with other tables or identifiers. */
export const suiteVariantKinds: readonly DatabaseKind[] = testsAllDatabases
  ? databaseKinds.filter(({ name }) => !/file/.test(name))
  : sqliteKinds.slice(0, 1)
