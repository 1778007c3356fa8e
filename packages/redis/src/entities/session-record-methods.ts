/** The methods for records and changes of sessions, whose modules load with the first call. */
import type { SessionRecordStore } from "@latchkey/core/adapters"
import { canSubscribe } from "../client/clients.ts"
import { mapInBatches } from "../sessions/session-index.ts"
import type { RecordStore } from "../store.ts"

/** Creates the methods. Without `watchSessionChanges` if the client cannot open another connection. */
export function createSessionRecordMethods(store: RecordStore): SessionRecordStore {
  const records = createLoader(async () => {
    const { createRecordMethods } = await import("./session-records.ts")
    return createRecordMethods(store)
  })
  const changes = createLoader(async () => {
    const { createChangeMethods } = await import("./session-changes.ts")
    return createChangeMethods(store)
  })
  return {
    saveSessionRecord: async (record) => (await records()).saveSessionRecord(record),
    getSessionRecord: async (id) => (await records()).getSessionRecord(id),
    listSessionRecords: async (userId) => (await records()).listSessionRecords(userId),
    findSessionRecords: async (key) => (await records()).findSessionRecords(key),
    updateSessionRecord: async (record) => (await records()).updateSessionRecord(record),
    deleteSessionRecord: async (id) => (await records()).deleteSessionRecord(id),
    saveSessionChange: async (change) => (await changes()).saveSessionChange(change),
    listSessionChanges: async (since) => (await changes()).listSessionChanges(since),
    ...(canSubscribe(store.client) && {
      watchSessionChanges: async (onChange, onInterruption) =>
        (await changes()).watchSessionChanges(onChange, onInterruption),
    }),
  }
}

/** Returns a function that loads something once, or again if that failed. */
function createLoader<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Value | undefined
  return async () => {
    loaded ??= await load()
    return loaded
  }
}

/** Deletes the records of a user. */
export async function deleteRecordsOf(records: SessionRecordStore, userId: string): Promise<void> {
  const found = await records.listSessionRecords(userId)
  const ids = found.map(({ id }) => id)
  await mapInBatches(ids, async (id) => records.deleteSessionRecord(id))
}
