import type { Adapter } from "@latchkey/core/adapters"
import { fresh, type Store } from "../store.ts"

/** Databases take no more values than so many in one statement. */
const batch = 500

/** Removes what has expired, a batch after the other. */
export function sweeping(store: Store): Required<Pick<Adapter, "deleteExpired">> {
  const { Session, VerificationToken } = store.entities

  function deleteSessions(before: Date, limit: number): Promise<number> {
    return store.run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(Session, where, { ...fresh, fields: ["id"], limit })
      const ids = rows.map(({ id }) => id)
      // Who has renewed one meanwhile keeps it.
      return ids.length === 0 ? 0 : em.nativeDelete(Session, { id: { $in: ids }, ...where })
    })
  }

  function deleteTokens(before: Date, limit: number): Promise<number> {
    return store.run("deleteExpired", async (em) => {
      const where = { expires: { $lt: before } }
      const rows = await em.find(VerificationToken, where, { ...fresh, limit })
      const tokens = rows.map(({ token }) => token)
      const found = { token: { $in: tokens }, ...where }
      return tokens.length === 0 ? 0 : em.nativeDelete(VerificationToken, found)
    })
  }

  return {
    async deleteExpired(before, limit) {
      let count = 0
      for (const remove of [deleteSessions, deleteTokens]) {
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
