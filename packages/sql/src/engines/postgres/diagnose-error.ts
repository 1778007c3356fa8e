import type { DatabaseErrorCode } from "@latchkey/adapter-kit"
import type { Diagnosis } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { DriverError, findNetworkCode, readTextField } from "../driver-error.ts"

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const codesBySqlState: Readonly<Record<string, DatabaseErrorCode>> = {
  "22001": "too-long",
  "23503": "unknown-user",
  "23505": "duplicate",
  "40001": "busy",
  "40P01": "busy",
  "42703": "unmigrated",
  "42P01": "unmigrated",
  "42P07": "name-taken",
  "54000": "too-long",
  "55P03": "busy",
}

/** Classes of errors whose messages contain names only. Messages of others, such as 22, quote values. */
const valueFreeSqlStates = /^(?:08|23|25|28|3D|3F|40|42|53|54|55|57)|^22001$/

/** The server is shutting down, starting, or has no free connection. */
const unavailableSqlStates = /^(?:08|53|57P)/

/** Messages of the drivers themselves. Errors of the server have a code, and may quote values. */
const codesByMessage: readonly (readonly [RegExp, DatabaseErrorCode])[] = [
  [/after calling end on the pool|Client was closed|PGlite is closed|is not queryable/, "closed"],
  [/Connection terminated|timeout exceeded when trying to connect|timeout expired/, "unreachable"],
]

/** Identifies the failure that a driver's error reports. */
export function diagnoseError(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const message = readTextField(error, "message") ?? ""
  const state = readTextField(error, "code")
  const messageMatch =
    state === undefined ? codesByMessage.find(([pattern]) => pattern.test(message)) : undefined
  const detail = messageMatch || (state && valueFreeSqlStates.test(state)) ? message : (state ?? "")
  const code = messageMatch?.[1] ?? toErrorCode(error, state)
  return { code, detail, cause: createValueFreeCause(error, detail) }
}

/** Whether another transaction has to finish first. The statement was rolled back. */
export function isBusy(error: unknown): boolean {
  return diagnoseError(error).code === "busy"
}

function toErrorCode(error: unknown, state: string | undefined): DatabaseErrorCode {
  if (findNetworkCode(error) !== undefined) return "unreachable"
  if (state === undefined) return "failed"
  return codesBySqlState[state] ?? (unavailableSqlStates.test(state) ? "unreachable" : "failed")
}

/** Copies an error without values: fields of the driver's error quote the rejected row, and PGlite's the parameters. */
function createValueFreeCause(error: unknown, detail: string): Error {
  const code = findNetworkCode(error) ?? readTextField(error, "code")
  const constraint = readTextField(error, "constraint")
  const message = detail || code || "the driver gave no code"
  return new DriverError({
    name: "DatabaseError",
    message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
  })
}
