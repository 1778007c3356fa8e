import { entitiesMigration } from "./0001-entities.ts"
import { leasesMigration } from "./0002-leases.ts"
import { attemptsMigration } from "./0003-attempts.ts"
import { factorsMigration } from "./factors.ts"
import type { Migration } from "./migration.ts"
import { sessionRecordsMigration } from "./session-records.ts"

/** Steps that every database has, in order. */
export const migrations: readonly Migration[] = [
  entitiesMigration,
  leasesMigration,
  attemptsMigration,
]

/** Returns the steps that options require. */
export function listOptionalMigrations(options: {
  readonly sessionRecords: boolean
  readonly secondFactor: boolean
}): readonly Migration[] {
  return [
    ...(options.sessionRecords ? [sessionRecordsMigration] : []),
    ...(options.secondFactor ? [factorsMigration] : []),
  ]
}
