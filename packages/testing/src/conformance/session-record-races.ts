import assert from "node:assert/strict"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { createRoundRobin } from "./processes.ts"
import { secondsFromNow } from "./record-fixtures.ts"
import {
  assertNoSessionRecord,
  buildSessionChange,
  findSessionChange,
  getOtherSessionRecords,
  getSessionRecords,
  type SessionRecords,
  sessionRecordMethods,
  storeSessionRecord,
} from "./session-record-fixtures.ts"

/** Requirements for concurrent changes of session records. */
export const sessionRecordRaceCases: readonly ConformanceCase[] = [
  createRace(
    "of 64 concurrent calls of deleteSessionRecord, exactly one returns true",
    async (records, storeAt) => {
      const record = await storeSessionRecord(records)
      const calls = Array.from({ length: 64 }, async (_, at) =>
        storeAt(at).deleteSessionRecord(record.id),
      )
      const results = await Promise.all(calls)
      assert.equal(results.filter((deleted) => deleted === true).length, 1)
      assert.equal(results.filter((deleted) => deleted === false).length, 63)
      await assertNoSessionRecord(records, record)
    },
  ),
  createRace(
    "a session record that is deleted while it is updated stays deleted",
    async (records, storeAt) => {
      for (let round = 0; round < 8; round += 1) {
        const record = await storeSessionRecord(records)
        const update = async (at: number) =>
          storeAt(at).updateSessionRecord({
            id: record.id,
            lastSeenAt: secondsFromNow(at),
            expires: secondsFromNow(5000 + at),
          })
        const startedBefore = Array.from({ length: 8 }, (_, at) => update(at))
        const deletion = (async () => records.deleteSessionRecord(record.id))()
        const startedAfter = Array.from({ length: 8 }, (_, at) => update(at + 8))
        const updates = Promise.allSettled([...startedBefore, ...startedAfter])
        assert.equal(await deletion, true)
        await updates
        await assertNoSessionRecord(records, record)
      }
    },
  ),
  createRace(
    "of 64 concurrent calls of saveSessionChange for one key, the latest change is kept",
    async (records, storeAt) => {
      const change = buildSessionChange()
      // 37 and 64 have no common divisor, so that every age occurs, in no order.
      const changes = Array.from({ length: 64 }, (_, at) => ({
        ...change,
        changedAt: new Date(change.changedAt.getTime() + ((at * 37) % 64)),
        details: `${(at * 37) % 64}`,
      }))
      const calls = changes.map(async (each, at) => storeAt(at).saveSessionChange({ ...each }))
      await Promise.all(calls)
      const latest = changes.find(({ details }) => details === "63")
      assert.deepEqual(await findSessionChange(records, change.key), latest)
    },
  ),
]

function createRace(
  name: string,
  run: (records: SessionRecords, storeAt: (at: number) => SessionRecords) => Promise<void>,
): ConformanceCase {
  return {
    name,
    group: "race",
    needs: sessionRecordMethods,
    run: (context: ConformanceContext) => {
      const adapter = getSessionRecords(context)
      return run(adapter, createRoundRobin({ adapter, second: getOtherSessionRecords(context) }))
    },
  }
}
