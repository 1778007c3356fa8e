import type { Adapter } from "@latchkey/core/adapters"
import type { EntitySchema } from "@mikro-orm/core"
import { hasEntities, hasSessionRecordEntities } from "../entities/define-entities.ts"
import type { EntitySchemas } from "../entities/entity-types.ts"
import { MikroOrmError } from "../errors.ts"
import { freshReadOptions, type Store } from "../store.ts"

/** Databases limit the number of values in a statement. */
const batchSize = 500

/** Removes rows that expired before a date, up to a limit. Returns their number. */
type RemoveExpired = (before: Date, limit: number) => Promise<number>

/** Creates the removal of expired rows, in batches. */
export function createExpiredRowMethods(store: Store): Required<Pick<Adapter, "deleteExpired">> {
  const removals = [
    createRemoval(store, "Session", "id"),
    createRemoval(store, "VerificationToken", "token"),
    createLeaseRemoval(store),
    ...(hasSessionRecordEntities(store)
      ? [
          createRemoval(store, "LatchkeySessionRecord", "id"),
          createRemoval(store, "LatchkeySessionChange", "key"),
        ]
      : []),
  ]
  return {
    async deleteExpired(before, limit) {
      let count = 0
      for (const remove of removals) {
        for (let left = limit; left > 0; left -= batchSize) {
          const removed = await remove(before, Math.min(left, batchSize))
          count += removed
          if (removed < Math.min(left, batchSize)) break
        }
      }
      return count
    },
  }
}

/** The properties that name the rows of the entities. Each has one of them. */
interface ExpiringRow {
  id: string
  key: string
  token: string
  expires: Date
}

/** Rows that were renewed meanwhile remain. */
function createRemoval(
  { entities, run }: Store,
  name: keyof EntitySchemas,
  key: "id" | "key" | "token",
): RemoveExpired {
  const entity = entities[name] as unknown as EntitySchema<ExpiringRow>
  return (before, limit) =>
    run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(entity, where, { ...freshReadOptions, fields: [key], limit })
      const found = { [key]: { $in: rows.map((row) => row[key]) }, ...where }
      return rows.length === 0 ? 0 : em.nativeDelete(entity, found)
    })
}

function createLeaseRemoval(store: Store): RemoveExpired {
  if (!hasEntities(store, "LatchkeyLease")) return async () => 0
  const remove = createRemoval(store, "LatchkeyLease", "key")
  return async (before, limit) => {
    try {
      return await remove(before, limit)
    } catch (error) {
      // Applications without leases need not have the table.
      if (error instanceof MikroOrmError && error.code === "unmigrated") return 0
      throw error
    }
  }
}
