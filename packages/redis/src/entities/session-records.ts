/**
 * Session records. Each script uses one key, so that a cluster can distribute them. A record is in the sets of its user,
 * and of the session and the subject at the provider, for as long as it exists. Other ids in these sets do no harm, and
 * expire.
 */
import { parseText, recordFields, toLookupText } from "@latchkey/adapter-kit"
import type { SessionRecord, SessionRecordStore } from "@latchkey/core/adapters"
import { type Reply, toTextOrNull } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import { addMember, listMembers, removeMember } from "../sessions/expiring-index.ts"
import { computeLifetime } from "../sessions/record-lifetime.ts"
import { mapInBatches } from "../sessions/session-index.ts"
import type { RecordStore } from "../store.ts"
import { toStoredRecord } from "../stored-record.ts"

/** The methods for records. */
type RecordMethods = Pick<
  SessionRecordStore,
  Extract<keyof SessionRecordStore, `${string}SessionRecord${string}`>
>

const { id: _, ...storedFields } = recordFields.LatchkeySessionRecord
const fieldNames = Object.keys(storedFields)

const readRecordLua = `redis.call("HMGET", KEYS[1], "${fieldNames.join('", "')}")`

const readRecordScript = createScript(`return ${readRecordLua}`)

const takeRecordScript = createScript(`
local record = ${readRecordLua}
redis.call("DEL", KEYS[1])
return record`)

const saveRecordScript = createScript(`
redis.call("DEL", KEYS[1])
redis.call("HSET", KEYS[1], unpack(ARGV, 2))
redis.call("PEXPIRE", KEYS[1], ARGV[1])
return "done"`)

/** A record that has expired counts as missing. */
const updateRecordScript = createScript(`
local expires = redis.call("HGET", KEYS[1], "expires")
if not expires or tonumber(expires) <= tonumber(ARGV[1]) then return 0 end
if #ARGV > 2 then redis.call("HSET", KEYS[1], unpack(ARGV, 3)) end
if ARGV[2] ~= "" then redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
return 1`)

/** Creates the methods for records. */
export function createRecordMethods(store: RecordStore): RecordMethods {
  const { connection, keepExpired, keys } = store

  async function readRecord(operation: string, id: string): Promise<SessionRecord | null> {
    const record = toRecord(
      id,
      await connection.run(operation, readRecordScript, [keys.record(id)]),
    )
    return record && record.expires.getTime() > Date.now() ? record : null
  }

  async function listRecords(operation: string, index: string): Promise<SessionRecord[]> {
    const ids = await listMembers(connection, operation, index, Date.now())
    const records = await mapInBatches(ids, (id) => readRecord(operation, id))
    return records.filter((record) => record !== null)
  }

  const listIndices = ({ userId, providerSession, providerSubject }: SessionRecord): string[] => [
    keys.recordsOf(userId),
    ...(providerSession === null ? [] : [keys.recordsOfProviderSession(providerSession)]),
    ...(providerSubject === null ? [] : [keys.recordsOfProviderSubject(providerSubject)]),
  ]

  /** Goes before each change of the record, which is listed longer than it lives, but never shorter. */
  async function addToIndices(operation: string, record: SessionRecord): Promise<void> {
    const { id: member, expires } = record
    await Promise.all(
      listIndices(record).map((index) => addMember(store, operation, index, { member, expires })),
    )
  }

  return {
    async saveSessionRecord(record) {
      const operation = "saveSessionRecord"
      const key = keys.record(parseText(record.id, "SessionRecord.id"))
      const fields = toFields(record)
      await addToIndices(operation, record)
      const values = [computeLifetime(record.expires, keepExpired), ...fields]
      await connection.run(operation, saveRecordScript, [key], values)
    },
    async getSessionRecord(value) {
      const id = toLookupText(value, "SessionRecord.id")
      return id === null ? null : readRecord("getSessionRecord", id)
    },
    async listSessionRecords(value) {
      const userId = toLookupText(value, "SessionRecord.userId")
      if (userId === null) return []
      const records = await listRecords("listSessionRecords", keys.recordsOf(userId))
      return records.filter((record) => record.userId === userId)
    },
    async findSessionRecords(key) {
      const isSession = "providerSession" in key
      const field = isSession ? "providerSession" : "providerSubject"
      const value = isSession ? key.providerSession : key.providerSubject
      const wanted = toLookupText(value, `SessionRecord.${field}`)
      if (wanted === null) return []
      const index = isSession
        ? keys.recordsOfProviderSession(wanted)
        : keys.recordsOfProviderSubject(wanted)
      const records = await listRecords("findSessionRecords", index)
      return records.filter((record) => record[field] === wanted)
    },
    async updateSessionRecord({ id: value, lastSeenAt, expires, details }) {
      const operation = "updateSessionRecord"
      const id = toLookupText(value, "SessionRecord.id")
      const fields = toFields({ lastSeenAt, expires, details })
      if (id === null) return false
      if (expires) {
        const record = await readRecord(operation, id)
        if (record === null) return false
        await addToIndices(operation, { ...record, expires })
      }
      const lifetime = expires ? computeLifetime(expires, keepExpired) : ""
      const values = [String(Date.now()), lifetime, ...fields]
      const reply = await connection.run(operation, updateRecordScript, [keys.record(id)], values)
      return Number(reply) === 1
    },
    async deleteSessionRecord(value) {
      const operation = "deleteSessionRecord"
      const id = toLookupText(value, "SessionRecord.id")
      if (id === null) return false
      const reply = await connection.run(operation, takeRecordScript, [keys.record(id)])
      const record = toRecord(id, reply)
      if (record === null) return false
      // The record is deleted. A failure to clean up the sets must not look like a failed deletion.
      await Promise.allSettled(
        listIndices(record).map((index) => removeMember(connection, operation, index, id)),
      )
      return true
    },
  }
}

/** Encodes the defined fields of a record as names and values by turns. */
function toFields(record: object): string[] {
  const fields = toStoredRecord("SessionRecord", storedFields, record)
  return Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [name, String(value)],
  )
}

/** Parses the fields of a script's reply; null for a missing record. */
function toRecord(id: string, reply: Reply): SessionRecord | null {
  const values = Array.isArray(reply) ? reply.map(toTextOrNull) : []
  const read = (name: keyof typeof storedFields): string | null =>
    values[fieldNames.indexOf(name)] ?? null
  const readDate = (name: keyof typeof storedFields): Date => new Date(Number(read(name)))
  const [userId, details] = [read("userId"), read("details")]
  if (userId === null || details === null) return null
  return {
    id,
    userId,
    createdAt: readDate("createdAt"),
    lastSeenAt: readDate("lastSeenAt"),
    expires: readDate("expires"),
    providerSession: read("providerSession"),
    providerSubject: read("providerSubject"),
    details,
  }
}
