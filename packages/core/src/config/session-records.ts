/** The option `session.records`. */
import type { SessionRecordStore } from "../adapters.ts"
import { isObject } from "../objects.ts"
import type { Rule } from "./rules.ts"

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

/** Whether a value has the methods of a store of records. */
function isRecordStore(value: unknown): boolean {
  return isObject(value) && recordMethods.every((name) => typeof value[name] === "function")
}

const isSeconds = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0

const memberChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  store: isRecordStore,
  deviceLabel: (value) => typeof value === "function",
  network: (value) => typeof value === "boolean",
  lastSeenInterval: isSeconds,
  pollInterval: isSeconds,
  maxStaleness: isSeconds,
}

const isOmittedOrValid = (options: Readonly<Record<string, unknown>>, name: string): boolean =>
  options[name] === undefined || memberChecks[name]?.(options[name]) === true

export const sessionRecordsRule: Rule = {
  isValid: (value) =>
    typeof value === "boolean" ||
    (isObject(value) && Object.keys(value).every((name) => isOmittedOrValid(value, name))),
  expected: `true, or an object with ${Object.keys(memberChecks).join(", ")}`,
  describe: (value) =>
    isObject(value)
      ? `other values of ${Object.keys(value)
          .filter((name) => !isOmittedOrValid(value, name))
          .join(", ")}`
      : typeof value,
  hint: "`store` needs the methods of SessionRecordStore. `network` is true or false, `deviceLabel` a function, and times are seconds.",
}
