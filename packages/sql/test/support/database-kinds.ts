/**
 * The databases of the tests. All are real. `npm test` has SQLite, and `npm test -- --project databases` everything else,
 * so that no test is in both.
 */

import type { DatabaseKind } from "./database-kinds/database-kind.ts"
import { kyselyKinds } from "./database-kinds/kysely.ts"
import { mariadbKinds } from "./database-kinds/mariadb.ts"
import { pgliteKind, postgresKinds } from "./database-kinds/postgres.ts"
import { testsOtherDatabases } from "./database-kinds/servers.ts"
import { sqliteKinds } from "./database-kinds/sqlite.ts"

const otherKinds: readonly DatabaseKind[] = [...postgresKinds, ...mariadbKinds]

/** The databases of most tests. */
export const databaseKinds: readonly DatabaseKind[] = testsOtherDatabases ? otherKinds : sqliteKinds

/** The same databases, and each through a Kysely instance. */
export const databaseKindsWithKysely: readonly DatabaseKind[] = [
  ...databaseKinds,
  ...kyselyKinds.filter(({ dialect }) => (dialect === "sqlite") !== testsOtherDatabases),
]

const quickSuiteKinds = ["SQLite", "SQLite in a file"]

/** The databases of the conformance suite. */
export const suiteKinds: readonly DatabaseKind[] = [
  ...sqliteKinds,
  ...new Set([pgliteKind, ...otherKinds]),
  ...kyselyKinds,
].filter(({ name }) => quickSuiteKinds.includes(name) !== testsOtherDatabases)

/** The databases on which the conformance suite is repeated with other tables or identifiers. */
export const suiteVariantKinds: readonly DatabaseKind[] = testsOtherDatabases
  ? [...sqliteKinds, ...otherKinds].filter(({ name }) => !/file/.test(name))
  : []
