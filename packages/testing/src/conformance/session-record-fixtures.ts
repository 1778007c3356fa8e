import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { SessionChange, SessionRecord, SessionRecordStore } from "@latchkey/core/adapters"
import { type ConformanceContext, requireMethods } from "./context.ts"
import { secondsFromNow } from "./record-fixtures.ts"

/** The methods for records and changes of sessions, which are needed together. */
export const sessionRecordMethods = [
  "saveSessionRecord",
  "getSessionRecord",
  "listSessionRecords",
  "findSessionRecords",
  "updateSessionRecord",
  "deleteSessionRecord",
  "saveSessionChange",
  "listSessionChanges",
] as const

/** The methods that every store of records has. */
export type SessionRecords = Required<Omit<SessionRecordStore, "watchSessionChanges">>

/** JSON with characters of every length, and all that databases or drivers could take for their own. */
export const unusualDetails: string = JSON.stringify({
  "it's": '"quoted" \\ %s ? $1 :name',
  device: "žluťoučký 漢字 עברית 👩‍🚀",
  none: [null],
})

/** A lifetime whose end cases wait for, in milliseconds. No case depends on being faster. */
const shortLifetime = 50

/** Returns when something expires whose end cases wait for. */
export function soon(): Date {
  return new Date(Date.now() + shortLifetime)
}

/** Waits until such things have expired, by any clock. */
export function waitUntilExpired(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3 * shortLifetime))
}

/** Returns the adapter's methods for session records. @throws AssertionError if one is missing */
export function getSessionRecords(context: ConformanceContext): SessionRecords {
  return requireMethods(context, ...sessionRecordMethods)
}

/** Returns the methods of the second adapter, or of the only one. */
export function getOtherSessionRecords(context: ConformanceContext): SessionRecords {
  return getSessionRecords({ ...context, adapter: context.second ?? context.adapter })
}

/** Creates a record, without storing it. Its user need not be stored: their sessions may be tokens. */
export function buildSessionRecord(changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: randomUUID(),
    userId: randomUUID(),
    createdAt: new Date(secondsFromNow(-90).getTime() + 123),
    lastSeenAt: new Date(secondsFromNow(-30).getTime() + 993),
    expires: new Date(secondsFromNow(3600).getTime() + 1),
    providerSession: randomUUID(),
    providerSubject: randomUUID(),
    details: "{}",
    ...changes,
  }
}

/** Stores a record, and returns it. */
export async function storeSessionRecord(
  records: SessionRecords,
  changes: Partial<SessionRecord> = {},
): Promise<SessionRecord> {
  const record = buildSessionRecord(changes)
  await records.saveSessionRecord({ ...record })
  return record
}

/** Creates a change, without storing it. */
export function buildSessionChange(changes: Partial<SessionChange> = {}): SessionChange {
  return {
    key: `test ${randomUUID()}`,
    changedAt: new Date(secondsFromNow(0).getTime() + 993),
    expires: new Date(secondsFromNow(3600).getTime() + 1),
    details: "{}",
    ...changes,
  }
}

/** Asserts which records can be found: by id, by user, and by session and subject at the provider, in any order. */
export async function assertSessionRecords(
  records: SessionRecords,
  {
    userId,
    providerSession,
    providerSubject,
  }: Pick<SessionRecord, "userId" | "providerSession" | "providerSubject">,
  expected: readonly SessionRecord[],
): Promise<void> {
  for (const record of expected)
    assert.deepEqual(copyOf(await records.getSessionRecord(record.id)), record)
  assert.deepEqual(sortById(await records.listSessionRecords(userId)), sortById(expected))
  if (providerSession !== null) {
    const found = await records.findSessionRecords({ providerSession })
    const ofSession = expected.filter((each) => each.providerSession === providerSession)
    assert.deepEqual(sortById(found), sortById(ofSession))
  }
  if (providerSubject !== null) {
    const found = await records.findSessionRecords({ providerSubject })
    const ofSubject = expected.filter((each) => each.providerSubject === providerSubject)
    assert.deepEqual(sortById(found), sortById(ofSubject))
  }
}

/** Asserts that a record is nowhere. */
export async function assertNoSessionRecord(
  records: SessionRecords,
  record: SessionRecord,
): Promise<void> {
  assert.equal(await records.getSessionRecord(record.id), null)
  await assertSessionRecords(records, record, [])
}

/** Returns the stored change with a key, or undefined. */
export async function findSessionChange(
  records: SessionRecords,
  key: string,
  since: Date = new Date(secondsFromNow(-600)),
): Promise<SessionChange | undefined> {
  const found = (await records.listSessionChanges(since)).filter((change) => change.key === key)
  assert.ok(found.length <= 1, "a key has one change")
  return found[0] && { ...found[0] }
}

const copyOf = <Value extends object>(value: Value | null) => value && { ...value }

function sortById(records: readonly SessionRecord[]): SessionRecord[] {
  return records.map((each) => ({ ...each })).sort((a, b) => (a.id < b.id ? -1 : 1))
}
