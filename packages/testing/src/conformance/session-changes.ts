import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { SessionChange } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  buildSessionChange,
  buildSessionRecord,
  findSessionChange,
  getOtherSessionRecords,
  getSessionRecords,
  type SessionRecords,
  sessionRecordMethods,
  soon,
  unusualDetails,
  waitUntilExpired,
} from "./session-record-fixtures.ts"

/** The greatest lengths: of a key in characters, and of details in bytes. */
const maxKeyLength = 80
const maxDetailsLength = 1024

/** Requirements for changes of sessions, without concurrency. */
export const sessionChangeCases: readonly ConformanceCase[] = [
  createChangeCase(
    "listSessionChanges returns the changes since a time, inclusive",
    async (records) => {
      const longest = {
        key: randomUUID().padEnd(maxKeyLength, "k"),
        details: `"${"👩".repeat((maxDetailsLength - 4) / 4)}"`,
      }
      for (const changes of [{}, { details: unusualDetails }, longest]) {
        const change = buildSessionChange(changes)
        const { key, changedAt } = change
        assert.equal(await findSessionChange(records, key), undefined)
        await records.saveSessionChange({ ...change })
        assert.deepEqual(await findSessionChange(records, key), change)
        assert.deepEqual(await findSessionChange(records, key, changedAt), change)
        const later = new Date(changedAt.getTime() + 1)
        assert.equal(await findSessionChange(records, key, later), undefined)
      }
    },
  ),
  createChangeCase(
    "saveSessionChange replaces an earlier change with the same key, and keeps a later one",
    async (records) => {
      const other = buildSessionChange()
      const change = buildSessionChange()
      const at = (milliseconds: number, details: string): SessionChange => ({
        key: change.key,
        changedAt: new Date(change.changedAt.getTime() + milliseconds),
        expires: new Date(change.expires.getTime() + milliseconds),
        details,
      })
      const [same, later, earlier] = [at(0, "1"), at(1, "2"), at(-1, "3")]
      await records.saveSessionChange({ ...other })
      for (const each of [change, same, later]) {
        await records.saveSessionChange({ ...each })
        assert.deepEqual(await findSessionChange(records, change.key), each)
      }
      for (const each of [earlier, same]) {
        await records.saveSessionChange({ ...each })
        assert.deepEqual(await findSessionChange(records, change.key), later)
      }
      assert.deepEqual(await findSessionChange(records, other.key), other)
    },
  ),
  createChangeCase("session changes whose keys differ by case are different", async (records) => {
    const key = `${randomUUID()} a`
    for (const each of [key, key.toUpperCase()]) {
      const change = buildSessionChange({ key: each })
      assert.equal(await findSessionChange(records, each), undefined)
      await records.saveSessionChange({ ...change })
      assert.deepEqual(await findSessionChange(records, each), change)
    }
  }),
  createChangeCase("listSessionChanges omits changes that have expired", async (records) => {
    const [kept, expired] = [buildSessionChange(), buildSessionChange({ expires: soon() })]
    for (const change of [kept, expired]) await records.saveSessionChange({ ...change })
    await waitUntilExpired()
    assert.equal(await findSessionChange(records, expired.key), undefined)
    assert.deepEqual(await findSessionChange(records, kept.key), kept)
  }),
  {
    name: "deleteExpired removes session records and changes that expired before the date, up to the limit",
    group: "optional",
    needs: [...sessionRecordMethods, "deleteExpired"],
    run: testDeleteExpired,
  },
  {
    name: "watchSessionChanges reports the changes that any adapter stores, until it is ended",
    group: "optional",
    needs: [...sessionRecordMethods, "watchSessionChanges"],
    run: testWatch,
  },
]

/** Long ago, so that no other record is affected. */
const longAgo = Date.parse("1997-01-01T00:00:00.000Z")

async function testDeleteExpired(context: ConformanceContext): Promise<void> {
  const records = getSessionRecords(context)
  const { deleteExpired } = requireMethods(context, "deleteExpired")
  for (const age of [0, 1, 2, 5000]) {
    const expires = new Date(longAgo + age)
    await records.saveSessionRecord(buildSessionRecord({ expires }))
    await records.saveSessionChange(buildSessionChange({ expires }))
  }
  const deleteBefore = async (age: number) => {
    const counts: number[] = []
    do counts.push(await deleteExpired(new Date(longAgo + age), 2))
    while (counts.at(-1) !== 0 && counts.length < 10)
    return counts
  }
  assert.deepEqual(await deleteBefore(1000), [4, 2, 0], "at most the limit of each is removed")
  assert.deepEqual(await deleteBefore(6000), [2, 0], "the others were kept")
}

async function testWatch(context: ConformanceContext): Promise<void> {
  const records = getSessionRecords(context)
  const first = await startWatching(context)
  const second = await startWatching(context)
  try {
    for (const store of [records, getOtherSessionRecords(context)]) {
      const change = buildSessionChange({ details: unusualDetails })
      await store.saveSessionChange({ ...change })
      for (const watch of [first, second])
        assert.deepEqual({ ...(await watch.waitFor(change.key)) }, change)
    }
    await first.end()
    const unseen = buildSessionChange()
    await records.saveSessionChange({ ...unseen })
    await second.waitFor(unseen.key)
    assert.ok(!first.keys().includes(unseen.key), "an ended watch reports nothing")
  } finally {
    for (const watch of [first, second]) await watch.end()
  }
}

/** How long a notification may take, in milliseconds. */
const maxDelay = 10_000

async function startWatching(context: ConformanceContext) {
  const changes: SessionChange[] = []
  const { watchSessionChanges } = requireMethods(context, "watchSessionChanges")
  const end = await watchSessionChanges(
    (change) => void changes.push(change),
    () => undefined,
  )
  return {
    end,
    keys: () => changes.map(({ key }) => key),
    async waitFor(key: string): Promise<SessionChange> {
      const deadline = Date.now() + maxDelay
      for (;;) {
        const found = changes.find((change) => change.key === key)
        if (found) return found
        assert.ok(Date.now() < deadline, "a change is reported soon")
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

function createChangeCase(
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
