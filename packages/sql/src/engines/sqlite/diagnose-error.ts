import type { DatabaseErrorCode } from "@latchkey/adapter-kit"
import type { Diagnosis } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { readField, readTextField } from "../driver-error.ts"

// https://www.sqlite.org/rescode.html. The low byte is the primary code.
const BUSY = 5
const LOCKED = 6
const CONSTRAINT_FOREIGNKEY = 787
const CONSTRAINT_PRIMARYKEY = 1555
const CONSTRAINT_UNIQUE = 2067

/** Some drivers report the names of SQLite's codes instead of numbers. */
const resultCodesByName: readonly (readonly [RegExp, number])[] = [
  [/^SQLITE_BUSY/, BUSY],
  [/^SQLITE_LOCKED/, LOCKED],
  [/^SQLITE_CONSTRAINT_FOREIGNKEY$/, CONSTRAINT_FOREIGNKEY],
  [/^SQLITE_CONSTRAINT_PRIMARYKEY$/, CONSTRAINT_PRIMARYKEY],
  [/^SQLITE_CONSTRAINT_UNIQUE$/, CONSTRAINT_UNIQUE],
]

/** SQLite reports all of these with code 1, "SQL logic error". */
const codesByMessage: readonly (readonly [RegExp, DatabaseErrorCode])[] = [
  [/^no such (table|column)|has no column named/, "unmigrated"],
  [/^(table|index) \S+ already exists/, "name-taken"],
  [/^(the )?database (connection )?(is )?not open|has been finalized/i, "closed"],
]

/** Identifies the failure that a driver's error reports. SQLite's messages contain names, never values. */
export function diagnoseError(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const detail = readTextField(error, "message") ?? ""
  return {
    code: codeFromResult(readResultCode(error)) ?? codeFromMessage(detail) ?? "failed",
    detail,
  }
}

/** Whether another connection, or the application, has to finish first. */
export function isBusy(error: unknown): boolean {
  return diagnoseError(error).code === "busy"
}

function readResultCode(error: unknown): number | undefined {
  const code = readField(error, "errcode")
  if (typeof code === "number") return code
  const name = readTextField(error, "code") ?? ""
  return resultCodesByName.find(([pattern]) => pattern.test(name))?.[1]
}

function codeFromResult(code: number | undefined): DatabaseErrorCode | undefined {
  if (code === undefined) return undefined
  if (code === CONSTRAINT_PRIMARYKEY || code === CONSTRAINT_UNIQUE) return "duplicate"
  if (code === CONSTRAINT_FOREIGNKEY) return "unknown-user"
  const primary = code & 0xff
  return primary === BUSY || primary === LOCKED ? "busy" : undefined
}

function codeFromMessage(message: string): DatabaseErrorCode | undefined {
  return codesByMessage.find(([pattern]) => pattern.test(message))?.[1]
}
