/** The databases that every behaviour is tested on: all are real. */

import type { Kind } from "./kinds/kind.ts"
import { kyselyKinds } from "./kinds/kysely.ts"
import { mariadbKinds } from "./kinds/mariadb.ts"
import { postgresKinds } from "./kinds/postgres.ts"
import { sqliteKinds } from "./kinds/sqlite.ts"

export const kinds: readonly Kind[] = [...sqliteKinds, ...postgresKinds, ...mariadbKinds]

/** The same, and each through a Kysely instance. */
export const allKinds: readonly Kind[] = [...kinds, ...kyselyKinds]
