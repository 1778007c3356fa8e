import type { DatabaseErrorCode } from "@latchkey/adapter-kit"
import type { Diagnosis } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { DriverError, findNetworkCode, readField, readTextField } from "../driver-error.ts"

// https://mariadb.com/kb/en/mariadb-error-code-reference/
const codesByErrorNumber: ReadonlyMap<unknown, DatabaseErrorCode> = new Map<
  number,
  DatabaseErrorCode
>([
  [1040, "unreachable"],
  [1050, "name-taken"],
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

/** Errors whose messages contain names only. Messages of other errors quote values. */
const valueFreeErrorNumbers: ReadonlySet<unknown> = new Set([
  1044, 1045, 1048, 1049, 1050, 1053, 1054, 1060, 1061, 1146, 1205, 1213, 1364, 1406, 1451, 1452,
  1826, 1927,
])

/** Messages of the driver itself. Errors of the server have a number, and may quote values. */
const codesByMessage: readonly (readonly [RegExp, DatabaseErrorCode])[] = [
  [/^Pool is closed/, "closed"],
  [/connection is in closed state|Connection lost|server closed the connection/i, "unreachable"],
]

/** Identifies the failure that a driver's error reports. */
export function diagnoseError(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const number = readField(error, "errno")
  const message = readTextField(error, "message") ?? ""
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

/** Whether another transaction has to finish first. The statement was rolled back. */
export function isBusy(error: unknown): boolean {
  return diagnoseError(error).code === "busy"
}

/** Whether an interrupted migration made a schema change before. */
export function isAlreadyAppliedError(error: unknown): boolean {
  // The table, column, index or foreign key exists.
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

/**
 * Copies an error without values: the driver's message quotes the rejected value, and a field may hold the statement.
 */
function createValueFreeCause(error: unknown, detail: string, key: string | undefined): Error {
  const code = findNetworkCode(error) ?? readTextField(error, "code")
  return new DriverError({
    name: "DatabaseError",
    message: detail || code || "the driver gave no code",
    ...(code === undefined ? {} : { code }),
    ...(key === undefined ? {} : { constraint: key.slice(key.lastIndexOf(".") + 1) }),
  })
}
