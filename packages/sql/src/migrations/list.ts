import { entities } from "./0001-entities.ts"
import { leases } from "./0002-leases.ts"
import type { Migration } from "./migration.ts"

/** All steps, in order. */
export const migrations: readonly Migration[] = [entities, leases]
