import { entitiesMigration } from "./0001-entities.ts"
import { leasesMigration } from "./0002-leases.ts"
import { attemptsMigration } from "./0003-attempts.ts"
import type { Migration } from "./migration.ts"

/** All steps, in order. */
export const migrations: readonly Migration[] = [
  entitiesMigration,
  leasesMigration,
  attemptsMigration,
]
