import type { SessionRecordStore } from "@latchkey/core/adapters"
import { toEntityData, toSessionChange } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { insertRow } from "./insert-row.ts"

type SessionChangeMethods = Pick<SessionRecordStore, "listSessionChanges" | "saveSessionChange">

/** Creates the methods for session changes. Processes ask for them, because databases do not push. */
export function createSessionChangeMethods(store: Store): SessionChangeMethods {
  const { LatchkeySessionChange } = store.entities
  return {
    /** Nearly every change has a new key. Inserts again if the existing row was deleted meanwhile. */
    async saveSessionChange(change) {
      const data = toEntityData(store, "LatchkeySessionChange", change)
      const { key, changedAt, expires, details } = change
      const isEarlier = { key, changedAt: { $lte: changedAt } }
      await store.runForAll("saveSessionChange", async (em) => {
        const insert = () =>
          insertRow(em, em.create(LatchkeySessionChange, data, { persist: false }))
        const replace = () =>
          em.nativeUpdate(LatchkeySessionChange, isEarlier, { changedAt, expires, details })
        return (await insert()) || (await replace()) > 0 || (await insert())
      })
    },
    async listSessionChanges(since) {
      const where = { changedAt: { $gte: since }, expires: { $gt: new Date() } }
      const found = await store.runForAll("listSessionChanges", (em) =>
        em.find(LatchkeySessionChange, where, freshReadOptions),
      )
      return found.map(toSessionChange)
    },
  }
}
