import type { Adapter } from "@latchkey/core/adapters"
import { hasLeaseEntity } from "../entities/define-entities.ts"
import { MikroOrmError } from "../errors.ts"
import { freshReadOptions, type Store } from "../store.ts"

/** Databases limit the number of values in a statement. */
const batchSize = 500

/** Removes rows that expired before a date, up to a limit. Returns their number. */
type RemoveExpired = (before: Date, limit: number) => Promise<number>

/** Creates the removal of expired rows, in batches. */
export function createExpiredRowMethods(store: Store): Required<Pick<Adapter, "deleteExpired">> {
  const removals = [
    createSessionRemoval(store),
    createTokenRemoval(store),
    createLeaseRemoval(store),
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

function createSessionRemoval({ entities: { Session }, run }: Store): RemoveExpired {
  return (before, limit) =>
    run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(Session, where, { ...freshReadOptions, fields: ["id"], limit })
      const ids = rows.map(({ id }) => id)
      // Sessions that were renewed meanwhile remain.
      return ids.length === 0 ? 0 : em.nativeDelete(Session, { id: { $in: ids }, ...where })
    })
}

function createTokenRemoval({ entities: { VerificationToken }, run }: Store): RemoveExpired {
  return (before, limit) =>
    run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(VerificationToken, where, { ...freshReadOptions, limit })
      const found = { token: { $in: rows.map(({ token }) => token) }, ...where }
      return rows.length === 0 ? 0 : em.nativeDelete(VerificationToken, found)
    })
}

function createLeaseRemoval({ orm, entities, run }: Store): RemoveExpired {
  const { LatchkeyLease } = entities
  const hasEntity = hasLeaseEntity(orm, entities)
  return async (before, limit) => {
    if (!hasEntity) return 0
    const removed = run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(LatchkeyLease, where, {
        ...freshReadOptions,
        fields: ["key"],
        limit,
      })
      const found = { key: { $in: rows.map(({ key }) => key) }, ...where }
      return rows.length === 0 ? 0 : em.nativeDelete(LatchkeyLease, found)
    })
    return removed.catch((error: unknown) => {
      // Applications without leases need not have the table.
      if (error instanceof MikroOrmError && error.code === "unmigrated") return 0
      throw error
    })
  }
}
