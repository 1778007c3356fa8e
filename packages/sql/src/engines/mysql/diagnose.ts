import type { Diagnosis } from "../../engine.ts"
import { SqlError, type SqlErrorCode } from "../../errors.ts"
import { DriverError, networkCode, textIn, valueIn } from "../cause.ts"

// https://mariadb.com/kb/en/mariadb-error-code-reference/
const byNumber: ReadonlyMap<unknown, SqlErrorCode> = new Map<number, SqlErrorCode>([
  [1040, "unreachable"],
  [1050, "table-exists"],
  [1053, "unreachable"],
  [1054, "unmigrated"],
  [1062, "duplicate"],
  [1146, "unmigrated"],
  [1205, "busy"],
  [1213, "busy"],
  [1216, "unknown-user"],
  [1406, "too-long"],
  [1452, "unknown-user"],
  [1927, "unreachable"],
])

/** Errors whose messages name things of the database. Those of others quote values. */
const nameful: ReadonlySet<unknown> = new Set([
  1044, 1045, 1048, 1049, 1050, 1053, 1054, 1060, 1061, 1146, 1205, 1213, 1364, 1406, 1451, 1452,
  1826, 1927,
])

/** What the driver says for itself, without a number of the server: whose words quote values. */
const byMessage: readonly (readonly [RegExp, SqlErrorCode])[] = [
  [/^Pool is closed/, "closed"],
  [/connection is in closed state|Connection lost|server closed the connection/i, "unreachable"],
]

/** Names the failure that an error of the driver reports. */
export function diagnose(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const number = valueIn(error, "errno")
  const message = error instanceof Error ? error.message : ""
  const known = isOfServer(number)
    ? undefined
    : byMessage.find(([pattern]) => pattern.test(message))
  const key = number === 1062 ? /for key '([^']+)'$/.exec(message)?.[1] : undefined
  const detail = detailOf(error, { key, message, told: known !== undefined || nameful.has(number) })
  const code = known?.[1] ?? byNumber.get(number) ?? (isLost(error) ? "unreachable" : "failed")
  return { code, detail, cause: withoutValues(error, detail, key) }
}

/** Tells whether another transaction has to finish first; the statement was taken back. */
export function isBusy(error: unknown): boolean {
  return diagnose(error).code === "busy"
}

/** Tells whether a change of the schema was made before: by a migration that was broken off. */
export function isDoneAlready(error: unknown): boolean {
  // Table, column, index and foreign key that exist.
  return [1050, 1060, 1061, 1826].includes(Number(valueIn(error, "errno")))
}

function detailOf(
  error: unknown,
  { key, message, told }: { key: string | undefined; message: string; told: boolean },
): string {
  if (key !== undefined) return `unique key ${key}`
  return told ? message : (textIn(error, "code") ?? "")
}

function isOfServer(number: unknown): boolean {
  return typeof number === "number" && number > 0
}

function isLost(error: unknown): boolean {
  return networkCode(error) !== undefined || textIn(error, "code") === "PROTOCOL_CONNECTION_LOST"
}

/** The driver's words quote the value that was refused, and a field of its error may hold the statement. */
function withoutValues(error: unknown, detail: string, key: string | undefined): Error {
  const code = networkCode(error) ?? textIn(error, "code")
  return new DriverError({
    name: "DatabaseError",
    message: detail || code || "the driver gave no code",
    ...(code === undefined ? {} : { code }),
    ...(key === undefined ? {} : { constraint: key.slice(key.lastIndexOf(".") + 1) }),
  })
}
