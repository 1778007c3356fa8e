import type { Diagnosis } from "../../engine.ts"
import { SqlError, type SqlErrorCode } from "../../errors.ts"
import { DriverError, findNetworkCode, readField, readTextField } from "../driver-error.ts"

// https://mariadb.com/kb/en/mariadb-error-code-reference/
const codesByErrorNumber: ReadonlyMap<unknown, SqlErrorCode> = new Map<number, SqlErrorCode>([
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
const valueFreeErrorNumbers: ReadonlySet<unknown> = new Set([
  1044, 1045, 1048, 1049, 1050, 1053, 1054, 1060, 1061, 1146, 1205, 1213, 1364, 1406, 1451, 1452,
  1826, 1927,
])

/** What the driver says for itself, without a number of the server: whose words quote values. */
const codesByMessage: readonly (readonly [RegExp, SqlErrorCode])[] = [
  [/^Pool is closed/, "closed"],
  [/connection is in closed state|Connection lost|server closed the connection/i, "unreachable"],
]

/** Names the failure that an error of the driver reports. */
export function diagnoseError(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const number = readField(error, "errno")
  const message = error instanceof Error ? error.message : ""
  const messageMatch = isServerErrorNumber(number)
    ? undefined
    : codesByMessage.find(([pattern]) => pattern.test(message))
  const key = number === 1062 ? /for key '([^']+)'$/.exec(message)?.[1] : undefined
  const detail = describeError(error, {
    key,
    message,
    told: messageMatch !== undefined || valueFreeErrorNumbers.has(number),
  })
  const code =
    messageMatch?.[1] ??
    codesByErrorNumber.get(number) ??
    (isConnectionLost(error) ? "unreachable" : "failed")
  return { code, detail, cause: createValueFreeCause(error, detail, key) }
}

/** Tells whether another transaction has to finish first; the statement was taken back. */
export function isBusy(error: unknown): boolean {
  return diagnoseError(error).code === "busy"
}

/** Tells whether a change of the schema was made before: by a migration that was broken off. */
export function isAlreadyAppliedError(error: unknown): boolean {
  // Table, column, index and foreign key that exist.
  return [1050, 1060, 1061, 1826].includes(Number(readField(error, "errno")))
}

function describeError(
  error: unknown,
  { key, message, told }: { key: string | undefined; message: string; told: boolean },
): string {
  if (key !== undefined) return `unique key ${key}`
  return told ? message : (readTextField(error, "code") ?? "")
}

function isServerErrorNumber(number: unknown): boolean {
  return typeof number === "number" && number > 0
}

function isConnectionLost(error: unknown): boolean {
  return (
    findNetworkCode(error) !== undefined ||
    readTextField(error, "code") === "PROTOCOL_CONNECTION_LOST"
  )
}

/** The driver's words quote the value that was refused, and a field of its error may hold the statement. */
function createValueFreeCause(error: unknown, detail: string, key: string | undefined): Error {
  const code = findNetworkCode(error) ?? readTextField(error, "code")
  return new DriverError({
    name: "DatabaseError",
    message: detail || code || "the driver gave no code",
    ...(code === undefined ? {} : { code }),
    ...(key === undefined ? {} : { constraint: key.slice(key.lastIndexOf(".") + 1) }),
  })
}
