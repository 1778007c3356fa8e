/** The databases that every behaviour is tested on: all are real. */

import type { DatabaseKind } from "./database-kinds/database-kind.ts"
import { kyselyKinds } from "./database-kinds/kysely.ts"
import { mariadbKinds } from "./database-kinds/mariadb.ts"
import { postgresKinds } from "./database-kinds/postgres.ts"
import { sqliteKinds } from "./database-kinds/sqlite.ts"

export const databaseKinds: readonly DatabaseKind[] = [
  ...sqliteKinds,
  ...postgresKinds,
  ...mariadbKinds,
]

/** The same, and each through a Kysely instance. */
export const databaseKindsWithKysely: readonly DatabaseKind[] = [...databaseKinds, ...kyselyKinds]
