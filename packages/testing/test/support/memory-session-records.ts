import type { SessionChange, SessionRecord, SessionRecordStore } from "@latchkey/core/adapters"

type Listener = (change: SessionChange) => void

/** The part of the adapter in memory that stores records and changes of sessions. */
export function createMemorySessionRecords() {
  const records = new Map<string, SessionRecord>()
  const changes = new Map<string, SessionChange>()
  const listeners = new Set<Listener>()

  const isCurrent = ({ expires }: { expires: Date }) => expires.getTime() > Date.now()
  const getRecord = (id: string) => {
    const record = records.get(id)
    return record && isCurrent(record) ? { ...record } : null
  }
  const selectRecords = (matches: (record: SessionRecord) => boolean) =>
    [...records.values()].filter((each) => isCurrent(each) && matches(each))

  const methods: Required<SessionRecordStore> = {
    saveSessionRecord: async (record) => void records.set(record.id, { ...record }),
    getSessionRecord: async (id) => getRecord(id),
    listSessionRecords: async (id) => selectRecords(({ userId }) => userId === id),
    findSessionRecords: async (key) =>
      selectRecords((each) =>
        "providerSession" in key
          ? each.providerSession === key.providerSession
          : each.providerSubject === key.providerSubject,
      ),
    updateSessionRecord: async ({ id, ...changed }) => {
      const record = getRecord(id)
      if (record) records.set(id, { ...record, ...changed })
      return record !== null
    },
    deleteSessionRecord: async (id) => records.delete(id),
    saveSessionChange: async (change) => {
      const stored = changes.get(change.key)
      if (stored && stored.changedAt > change.changedAt) return
      changes.set(change.key, { ...change })
      for (const notify of listeners) notify({ ...change })
    },
    listSessionChanges: async (since) =>
      [...changes.values()].filter((each) => isCurrent(each) && each.changedAt >= since),
    watchSessionChanges: async (onChange) => {
      const listener: Listener = (change) => onChange(change)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const removeExpired = (rows: Map<string, { expires: Date }>, before: Date, limit: number) => {
    const expired = [...rows].filter(([, { expires }]) => expires < before).slice(0, limit)
    for (const [key] of expired) rows.delete(key)
    return expired.length
  }
  return {
    methods,
    deleteRecordsOf: (id: string) => {
      for (const [key, { userId }] of records) if (userId === id) records.delete(key)
    },
    deleteExpired: (before: Date, limit: number) =>
      removeExpired(records, before, limit) + removeExpired(changes, before, limit),
  }
}
