import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { requireMethods } from "./context.ts"
import { secondsFromNow, storeUser } from "./record-fixtures.ts"
import {
  assertNoSessionRecord,
  assertSessionRecords,
  buildSessionChange,
  buildSessionRecord,
  findSessionChange,
  getOtherSessionRecords,
  getSessionRecords,
  type SessionRecords,
  sessionRecordMethods,
  soon,
  storeSessionRecord,
  unusualDetails,
  waitUntilExpired,
} from "./session-record-fixtures.ts"

/** The greatest lengths: of ids in characters, and of details in bytes. */
const maxIdLength = 64
const maxDetailsLength = 8192

/** Requirements for records of sessions, without concurrency. */
export const sessionRecordCases: readonly ConformanceCase[] = [
  createRecordCase(
    "getSessionRecord returns a stored record unchanged, or null",
    async (records) => {
      const longest = {
        id: randomUUID().padEnd(maxIdLength, "i"),
        providerSession: randomUUID().padEnd(maxIdLength, "p"),
        providerSubject: randomUUID().padEnd(maxIdLength, "s"),
        details: `"${"👩".repeat((maxDetailsLength - 4) / 4)}"`,
      }
      const unusual = { details: unusualDetails, providerSession: null }
      const withoutProvider = { providerSession: null, providerSubject: null }
      for (const changes of [{}, unusual, withoutProvider, { providerSubject: null }, longest]) {
        const record = buildSessionRecord(changes)
        await assertNoSessionRecord(records, record)
        await records.saveSessionRecord({ ...record })
        await assertSessionRecords(records, record, [record])
      }
    },
  ),
  createRecordCase("saveSessionRecord replaces the record with the same id", async (records) => {
    const old = await storeSessionRecord(records)
    const replaced = await storeSessionRecord(records, { id: old.id, details: unusualDetails })
    await assertSessionRecords(records, replaced, [replaced])
    await assertSessionRecords(records, old, [])
  }),
  createRecordCase(
    "listSessionRecords and findSessionRecords return the records of one user, or of one session at the provider",
    async (records) => {
      const first = await storeSessionRecord(records)
      const { userId, providerSession, providerSubject } = first
      const second = await storeSessionRecord(records, { userId, providerSession, providerSubject })
      const elsewhere = await storeSessionRecord(records, { userId, providerSession: null })
      const foreign = await storeSessionRecord(records)
      await assertSessionRecords(records, first, [first, second, elsewhere])
      await assertSessionRecords(records, foreign, [foreign])
    },
  ),
  createRecordCase(
    "findSessionRecords returns the records of one subject at the provider, from several sessions there",
    async (records) => {
      const first = await storeSessionRecord(records)
      const { userId, providerSubject } = first
      const second = await storeSessionRecord(records, { userId, providerSubject })
      const unnamed = { userId, providerSubject, providerSession: null }
      const third = await storeSessionRecord(records, unnamed)
      const withoutSubject = await storeSessionRecord(records, { userId, providerSubject: null })
      const foreign = await storeSessionRecord(records)
      await assertSessionRecords(records, first, [first, second, third, withoutSubject])
      await assertSessionRecords(records, foreign, [foreign])
      await records.deleteSessionRecord(second.id)
      await storeSessionRecord(records, { userId, providerSubject, expires: soon() })
      await waitUntilExpired()
      await assertSessionRecords(records, first, [first, third, withoutSubject])
    },
  ),
  createRecordCase(
    "findSessionRecords distinguishes a session and a subject at the provider with the same text",
    async (records) => {
      const text = randomUUID()
      const ofSession = await storeSessionRecord(records, { providerSession: text })
      const ofSubject = await storeSessionRecord(records, { providerSubject: text })
      await assertSessionRecords(records, ofSession, [ofSession])
      await assertSessionRecords(records, ofSubject, [ofSubject])
      await records.deleteSessionRecord(ofSession.id)
      await assertSessionRecords(records, ofSession, [])
      await assertSessionRecords(records, ofSubject, [ofSubject])
    },
  ),
  createRecordCase("session records are not returned after they have expired", async (records) => {
    const kept = await storeSessionRecord(records)
    const { userId, providerSession, providerSubject } = kept
    const shared = { userId, providerSession, providerSubject }
    const expired = await storeSessionRecord(records, { ...shared, expires: soon() })
    await waitUntilExpired()
    assert.equal(await records.getSessionRecord(expired.id), null)
    await assertSessionRecords(records, expired, [kept])
    // Whoever renews an expired session must not revive it.
    const { id } = expired
    assert.equal(await records.updateSessionRecord({ id, expires: kept.expires }), false)
    await assertSessionRecords(records, expired, [kept])
  }),
  createRecordCase(
    "updateSessionRecord changes only the given members, and returns true",
    async (records) => {
      let record = await storeSessionRecord(records)
      const other = await storeSessionRecord(records, { userId: record.userId })
      for (const changes of [
        { lastSeenAt: new Date(secondsFromNow(0).getTime() + 7) },
        { details: unusualDetails },
        { expires: secondsFromNow(7200), details: "[]", lastSeenAt: secondsFromNow(1) },
      ]) {
        record = { ...record, ...changes }
        // Some databases do not count rows that had these values before.
        for (const _ of [1, 2])
          assert.equal(await records.updateSessionRecord({ id: record.id, ...changes }), true)
        await assertSessionRecords(records, record, [record, other])
      }
    },
  ),
  createRecordCase(
    "updateSessionRecord prolongs a record, or lets it end earlier",
    async (records) => {
      const expires = secondsFromNow(3600)
      const prolonged = await storeSessionRecord(records, { expires: soon() })
      // A slow database may take longer than the record lasts.
      const wasProlonged = await records.updateSessionRecord({ id: prolonged.id, expires })
      const shortened = await storeSessionRecord(records)
      await records.updateSessionRecord({ id: shortened.id, expires: soon() })
      await waitUntilExpired()
      await assertNoSessionRecord(records, shortened)
      const expected = wasProlonged ? [{ ...prolonged, expires }] : []
      await assertSessionRecords(records, prolonged, expected)
    },
  ),
  createRecordCase(
    "updateSessionRecord creates no record, and returns false if there is none",
    async (records) => {
      const record = buildSessionRecord()
      const deleted = await storeSessionRecord(records)
      await records.deleteSessionRecord(deleted.id)
      for (const missing of [record, deleted]) {
        const { id, expires, lastSeenAt, details } = missing
        const changes = { id, expires, lastSeenAt, details }
        assert.equal(await records.updateSessionRecord(changes), false)
        await assertNoSessionRecord(records, missing)
      }
    },
  ),
  createRecordCase(
    "deleteSessionRecord deletes only the given record, and returns whether there was one",
    async (records) => {
      const record = await storeSessionRecord(records)
      const { userId, providerSession, providerSubject } = record
      const other = await storeSessionRecord(records, { userId, providerSession, providerSubject })
      assert.equal(await records.deleteSessionRecord(record.id), true)
      assert.equal(await records.getSessionRecord(record.id), null)
      await assertSessionRecords(records, record, [other])
      assert.equal(await records.deleteSessionRecord(record.id), false)
      assert.equal(await records.deleteSessionRecord(randomUUID()), false)
      await assertSessionRecords(records, record, [other])
    },
  ),
  createRecordCase(
    "session records whose keys differ by case or by a space are different records",
    async (records) => {
      const key = `${randomUUID()} a`
      for (const each of [key, key.toUpperCase(), `${key} `]) {
        const provider = { providerSession: each, providerSubject: each }
        const record = buildSessionRecord({ id: each, userId: each, ...provider })
        await assertNoSessionRecord(records, record)
        await records.saveSessionRecord({ ...record })
        await assertSessionRecords(records, record, [record])
      }
    },
  ),
  {
    name: "deleteUser deletes the session records of the user, and no others",
    group: "optional",
    needs: sessionRecordMethods,
    run: async (context) => {
      const records = getSessionRecords(context)
      const { deleteUser } = requireMethods(context, "deleteUser")
      const [user, other] = [await storeUser(context), await storeUser(context)]
      const record = await storeSessionRecord(records, { userId: user.id })
      const kept = await storeSessionRecord(records, {
        userId: other.id,
        providerSession: record.providerSession,
        providerSubject: record.providerSubject,
      })
      await deleteUser(user.id)
      assert.equal(await records.getSessionRecord(record.id), null)
      assert.deepEqual([...(await records.listSessionRecords(user.id))], [])
      await assertSessionRecords(records, kept, [kept])
    },
  },
  {
    name: "another adapter sees records and changes of sessions at once",
    group: "processes",
    needs: [...sessionRecordMethods, "second"],
    run: async (context) => {
      const [records, others] = [getSessionRecords(context), getOtherSessionRecords(context)]
      const record = await storeSessionRecord(records)
      await assertSessionRecords(others, record, [record])
      const changes = { id: record.id, details: unusualDetails }
      assert.equal(await others.updateSessionRecord(changes), true)
      await assertSessionRecords(records, record, [{ ...record, ...changes }])
      assert.equal(await others.deleteSessionRecord(record.id), true)
      await assertNoSessionRecord(records, record)
      const change = buildSessionChange()
      await others.saveSessionChange({ ...change })
      assert.deepEqual(await findSessionChange(records, change.key), change)
    },
  },
]

function createRecordCase(
  name: string,
  run: (records: SessionRecords) => Promise<void>,
): ConformanceCase {
  return {
    name,
    group: "optional",
    needs: sessionRecordMethods,
    run: (context) => run(getSessionRecords(context)),
  }
}
