import type { SessionRecord, SessionRecordStore } from "@latchkey/core/adapters"
import { toEntityData, toSessionRecord } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"

type SessionRecordMethods = Pick<
  SessionRecordStore,
  Extract<keyof SessionRecordStore, `${string}SessionRecord${string}`>
>

/** Creates the methods for session records. One that has expired counts as missing. */
export function createSessionRecordMethods(store: Store): SessionRecordMethods {
  const { LatchkeySessionRecord } = store.entities
  const name = "LatchkeySessionRecord"
  const isCurrent = () => ({ expires: { $gt: new Date() } })

  async function findRecords(
    operation: string,
    key: Partial<Pick<SessionRecord, "providerSession" | "providerSubject" | "userId">>,
  ): Promise<SessionRecord[]> {
    if (!Object.values(key).every(isLookupText)) return []
    const where = { ...key, ...isCurrent() }
    const found = await store.run(operation, (em) =>
      em.find(LatchkeySessionRecord, where, freshReadOptions),
    )
    return found.map(toSessionRecord)
  }

  return {
    async saveSessionRecord(record) {
      const data = toEntityData(store, name, record)
      await store.run("saveSessionRecord", (em) => em.upsert(LatchkeySessionRecord, data))
    },
    async getSessionRecord(id) {
      if (!isLookupText(id)) return null
      const where = { id, ...isCurrent() }
      const found = await store.run("getSessionRecord", (em) =>
        em.findOne(LatchkeySessionRecord, where, freshReadOptions),
      )
      return found && toSessionRecord(found)
    },
    listSessionRecords: (userId) => findRecords("listSessionRecords", { userId }),
    async findSessionRecords(key) {
      // Any other member of the object would be a condition, too.
      const wanted =
        "providerSession" in key
          ? { providerSession: key.providerSession }
          : { providerSubject: key.providerSubject }
      return findRecords("findSessionRecords", wanted)
    },
    async updateSessionRecord({ id, lastSeenAt, expires, details }) {
      const data = toEntityData(store, name, { lastSeenAt, expires, details })
      if (!isLookupText(id)) return false
      const where = { id, ...isCurrent() }
      const isUnchanged = Object.keys(data).length === 0
      const count = await store.run("updateSessionRecord", (em) =>
        isUnchanged
          ? em.count(LatchkeySessionRecord, where, freshReadOptions)
          : em.nativeUpdate(LatchkeySessionRecord, where, data),
      )
      return count > 0
    },
    async deleteSessionRecord(id) {
      if (!isLookupText(id)) return false
      const count = await store.run("deleteSessionRecord", (em) =>
        em.nativeDelete(LatchkeySessionRecord, { id }),
      )
      return count > 0
    },
  }
}
