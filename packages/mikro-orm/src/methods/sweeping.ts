import type { Adapter } from "@latchkey/core/adapters"
import { hasLeases } from "../entities/define.ts"
import { MikroOrmError } from "../errors.ts"
import { fresh, type Store } from "../store.ts"

/** Databases take no more values than so many in one statement. */
const batch = 500

/** Removes so many rows at most that expired before a date; tells how many there were. */
type Removal = (before: Date, limit: number) => Promise<number>

/** Removes what has expired, a batch after the other. */
export function sweeping(store: Store): Required<Pick<Adapter, "deleteExpired">> {
  const removals = [sessions(store), tokens(store), leases(store)]
  return {
    async deleteExpired(before, limit) {
      let count = 0
      for (const remove of removals) {
        for (let left = limit; left > 0; left -= batch) {
          const removed = await remove(before, Math.min(left, batch))
          count += removed
          if (removed < Math.min(left, batch)) break
        }
      }
      return count
    },
  }
}

function sessions({ entities: { Session }, run }: Store): Removal {
  return (before, limit) =>
    run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(Session, where, { ...fresh, fields: ["id"], limit })
      const ids = rows.map(({ id }) => id)
      // Who has renewed one meanwhile keeps it.
      return ids.length === 0 ? 0 : em.nativeDelete(Session, { id: { $in: ids }, ...where })
    })
}

function tokens({ entities: { VerificationToken }, run }: Store): Removal {
  return (before, limit) =>
    run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(VerificationToken, where, { ...fresh, limit })
      const found = { token: { $in: rows.map(({ token }) => token) }, ...where }
      return rows.length === 0 ? 0 : em.nativeDelete(VerificationToken, found)
    })
}

function leases({ orm, entities, run }: Store): Removal {
  const { LatchkeyLease } = entities
  const known = hasLeases(orm, entities)
  return async (before, limit) => {
    if (!known) return 0
    const removed = run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(LatchkeyLease, where, { ...fresh, fields: ["key"], limit })
      const found = { key: { $in: rows.map(({ key }) => key) }, ...where }
      return rows.length === 0 ? 0 : em.nativeDelete(LatchkeyLease, found)
    })
    return removed.catch((error: unknown) => {
      // An application that uses no leases need not have the table.
      if (error instanceof MikroOrmError && error.code === "unmigrated") return 0
      throw error
    })
  }
}
