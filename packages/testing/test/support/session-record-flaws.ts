/** Flaws of records and changes of sessions, by the case of the suite that must detect them. */
import type { SessionChange, SessionRecord } from "@latchkey/core/adapters"
import type { MemoryAdapter } from "../memory-adapter.ts"
import type { Flaw } from "./flaw.ts"

const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 1))

/** Changes what the methods return that read records. */
function changeReads(
  good: MemoryAdapter,
  change: (record: SessionRecord) => SessionRecord,
): Partial<MemoryAdapter> {
  return {
    getSessionRecord: async (id) => {
      const record = await good.getSessionRecord(id)
      return record && change(record)
    },
    listSessionRecords: async (id) => (await good.listSessionRecords(id)).map(change),
    findSessionRecords: async (key) => (await good.findSessionRecords(key)).map(change),
  }
}

export const sessionRecordFlaws: Readonly<Record<string, Flaw>> = {
  "getSessionRecord returns a stored record unchanged, or null": (good) =>
    changeReads(good, (record) => ({
      ...record,
      providerSession: record.providerSession ?? (record.details === "{}" ? null : ""),
    })),
  "saveSessionRecord replaces the record with the same id": (good) => ({
    saveSessionRecord: async (record) =>
      (await good.getSessionRecord(record.id)) ? undefined : good.saveSessionRecord(record),
  }),
  "listSessionRecords and findSessionRecords return the records of one user, or of one session at the provider":
    (good) => ({
      findSessionRecords: async (key) => {
        const found = await good.findSessionRecords(key)
        return "providerSession" in key ? found.slice(0, 1) : found
      },
    }),
  "findSessionRecords returns the records of one subject at the provider, from several sessions there":
    (good) => ({
      // Finds those of one session only.
      findSessionRecords: async (key) => {
        const found = await good.findSessionRecords(key)
        return found.filter((each) => each.providerSession === found[0]?.providerSession)
      },
    }),
  "findSessionRecords distinguishes a session and a subject at the provider with the same text": (
    good,
  ) => ({
    findSessionRecords: async (key) => {
      const [text = ""]: string[] = Object.values(key)
      const ofSession = await good.findSessionRecords({ providerSession: text })
      const ofSubject = await good.findSessionRecords({ providerSubject: text })
      return [...ofSession, ...ofSubject.filter((each) => each.providerSession !== text)]
    },
  }),
  "session records are not returned after they have expired": (good) => {
    const known = new Map<string, SessionRecord>()
    return {
      saveSessionRecord: (record) => {
        known.set(record.id, record)
        return good.saveSessionRecord(record)
      },
      // Revives expired records, but not deleted ones.
      updateSessionRecord: async (changes) => {
        const record = known.get(changes.id)
        if (await good.updateSessionRecord(changes)) return true
        if (record === undefined || record.expires.getTime() > Date.now()) return false
        await good.saveSessionRecord({ ...record, ...changes })
        return true
      },
    }
  },
  "updateSessionRecord changes only the given members, and returns true": (good) => ({
    updateSessionRecord: async (changes) => {
      const record = await good.getSessionRecord(changes.id)
      const isUnchanged = record?.details === changes.details && record?.details !== "{}"
      return (await good.updateSessionRecord(changes)) && !isUnchanged
    },
  }),
  "updateSessionRecord prolongs a record, or lets it end earlier": (good) => ({
    // Never ends a record earlier.
    updateSessionRecord: async ({ expires, ...changes }) => {
      const record = await good.getSessionRecord(changes.id)
      const isLater = expires !== undefined && record !== null && expires > record.expires
      return good.updateSessionRecord(isLater ? { ...changes, expires } : changes)
    },
  }),
  "updateSessionRecord creates no record, and returns false if there is none": (good) => ({
    updateSessionRecord: async (changes) =>
      (await good.updateSessionRecord(changes)) || changes.lastSeenAt !== undefined,
  }),
  "deleteSessionRecord deletes only the given record, and returns whether there was one": (
    good,
  ) => ({
    deleteSessionRecord: async (id) => {
      await good.deleteSessionRecord(id)
      return true
    },
  }),
  "session records whose keys differ by case or by a space are different records": (good) => ({
    saveSessionRecord: ({ id, userId, providerSession, providerSubject, ...record }) =>
      good.saveSessionRecord({
        ...record,
        id: id.trim(),
        userId: userId.trim(),
        providerSession: providerSession?.trim() ?? null,
        providerSubject: providerSubject?.trim() ?? null,
      }),
  }),
  "deleteUser deletes the session records of the user, and no others": (good) => ({
    deleteUser: async (id) => {
      const records = await good.listSessionRecords(id)
      await good.deleteUser(id)
      for (const record of records) await good.saveSessionRecord(record)
    },
  }),
  "another adapter sees records and changes of sessions at once": (good) => ({
    second: { ...good, getSessionRecord: async () => null },
  }),
  "listSessionChanges returns the changes since a time, inclusive": (good) => ({
    listSessionChanges: (since) => good.listSessionChanges(new Date(since.getTime() + 1)),
  }),
  "saveSessionChange replaces an earlier change with the same key, and keeps a later one": (
    good,
  ) => {
    const stored = new Map<string, SessionChange>()
    return {
      saveSessionChange: async (change) => {
        stored.set(change.key, change)
        await good.saveSessionChange(change)
      },
      listSessionChanges: async (since) => {
        const changes = await good.listSessionChanges(since)
        // Mixes the details of the last change with the time of the latest.
        return changes.map((change) => ({
          ...change,
          details: (change.details !== "63" && stored.get(change.key)?.details) || change.details,
        }))
      },
    }
  },
  "session changes whose keys differ by case are different": (good) => ({
    saveSessionChange: (change) =>
      good.saveSessionChange({ ...change, key: change.key.replace(/ A$/, " a") }),
  }),
  "listSessionChanges omits changes that have expired": (good) => {
    const short = new Map<string, SessionChange>()
    return {
      saveSessionChange: (change) => {
        if (change.expires.getTime() < Date.now() + 1000) short.set(change.key, change)
        return good.saveSessionChange(change)
      },
      listSessionChanges: async (since) => [
        ...(await good.listSessionChanges(since)).filter(({ key }) => !short.has(key)),
        ...[...short.values()].filter(({ changedAt }) => changedAt >= since),
      ],
    }
  },
  "deleteExpired removes session records and changes that expired before the date, up to the limit":
    (good) => ({
      deleteExpired: async (before, limit) =>
        (await good.deleteExpired(before, limit)) +
        (before.getUTCFullYear() < 1999 ? await good.deleteExpired(before, limit) : 0),
    }),
  "watchSessionChanges reports the changes that any adapter stores, until it is ended": (good) => ({
    // Never ends.
    watchSessionChanges: async (onChange, onInterruption) => {
      await good.watchSessionChanges(onChange, onInterruption)
      return () => undefined
    },
  }),
}

export const sessionRecordRaceFlaws: Readonly<Record<string, Flaw>> = {
  "of 64 concurrent calls of deleteSessionRecord, exactly one returns true": (good) => ({
    deleteSessionRecord: async (id) => {
      const record = await good.getSessionRecord(id)
      await waitBriefly()
      await good.deleteSessionRecord(id)
      return record !== null
    },
  }),
  "a session record that is deleted while it is updated stays deleted": (good) => ({
    updateSessionRecord: async ({ id, ...changes }) => {
      const record = await good.getSessionRecord(id)
      if (!record) return false
      await waitBriefly()
      await good.saveSessionRecord({ ...record, ...changes })
      return true
    },
  }),
  "of 64 concurrent calls of saveSessionChange for one key, the latest change is kept": () => {
    const changes = new Map<string, SessionChange>()
    return {
      // Reads first and writes afterwards.
      saveSessionChange: async (change) => {
        const stored = changes.get(change.key)
        await waitBriefly()
        if (!stored || stored.changedAt <= change.changedAt) changes.set(change.key, change)
      },
      listSessionChanges: async () => [...changes.values()],
    }
  },
}
