/** The option `session.records`. */
import type { SessionRecordStore } from "../adapters.ts"
import { isObject } from "../objects.ts"
import { createMembersRule, type Rule } from "./checks/rules.ts"

/** The methods of a store of records, without which sessions cannot be recorded. */
export const recordMethods: readonly Exclude<keyof SessionRecordStore, "watchSessionChanges">[] = [
  "saveSessionRecord",
  "getSessionRecord",
  "listSessionRecords",
  "findSessionRecords",
  "updateSessionRecord",
  "deleteSessionRecord",
  "saveSessionChange",
  "listSessionChanges",
]

const isSeconds = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0

/** The methods of a store are checked where the adapter may be it. */
const memberChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  store: isObject,
  deviceLabel: (value) => typeof value === "function",
  network: (value) => typeof value === "boolean",
  lastSeenInterval: isSeconds,
  pollInterval: isSeconds,
  maxStaleness: isSeconds,
}

export const sessionRecordsRule: Rule = createMembersRule(
  memberChecks,
  "`store` is an adapter, `deviceLabel` a function, `network` true or false, and the others are seconds.",
)
