import type { Diagnosis } from "../../engine.ts"
import { SqlError, type SqlErrorCode } from "../../errors.ts"

// https://www.sqlite.org/rescode.html. The low byte is the primary code.
const BUSY = 5
const LOCKED = 6
const CONSTRAINT_FOREIGNKEY = 787
const CONSTRAINT_PRIMARYKEY = 1555
const CONSTRAINT_UNIQUE = 2067

/** SQLite has no code of its own for these: all are 1, "SQL logic error". */
const byMessage: readonly (readonly [RegExp, SqlErrorCode])[] = [
  [/^no such (table|column)|has no column named/, "unmigrated"],
  [/^(table|index) \S+ already exists/, "table-exists"],
  [/^database (is )?not open|has been finalized/, "closed"],
]

/** Names the failure that an error of the driver reports. SQLite's messages hold names, never values. */
export function diagnose(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const detail = error instanceof Error ? error.message : ""
  return { code: byCode(resultCode(error)) ?? byText(detail) ?? "failed", detail }
}

/** Tells whether another connection, or the application, has to finish first. */
export function isBusy(error: unknown): boolean {
  return diagnose(error).code === "busy"
}

function resultCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined
  return typeof error.errcode === "number" ? error.errcode : undefined
}

function byCode(code: number | undefined): SqlErrorCode | undefined {
  if (code === undefined) return undefined
  if (code === CONSTRAINT_PRIMARYKEY || code === CONSTRAINT_UNIQUE) return "duplicate"
  if (code === CONSTRAINT_FOREIGNKEY) return "unknown-user"
  const primary = code & 0xff
  return primary === BUSY || primary === LOCKED ? "busy" : undefined
}

function byText(message: string): SqlErrorCode | undefined {
  return byMessage.find(([pattern]) => pattern.test(message))?.[1]
}
