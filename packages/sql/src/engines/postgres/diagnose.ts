import type { Diagnosis } from "../../engine.ts"
import { SqlError, type SqlErrorCode } from "../../errors.ts"
import { DriverError, networkCode, textIn } from "../cause.ts"

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const byState: Readonly<Record<string, SqlErrorCode>> = {
  "22001": "too-long",
  "23503": "unknown-user",
  "23505": "duplicate",
  "40001": "busy",
  "40P01": "busy",
  "42703": "unmigrated",
  "42P01": "unmigrated",
  "42P07": "table-exists",
  "54000": "too-long",
  "55P03": "busy",
}

/** Classes whose messages name things of the database. Messages of others, such as 22, quote values. */
const nameful = /^(?:08|23|25|28|3D|3F|40|42|53|54|55|57)|^22001$/

/** The server is going down, starting, or full. */
const away = /^(?:08|53|57P)/

/** What drivers say for themselves, without a code of the server: whose words may quote values. */
const byMessage: readonly (readonly [RegExp, SqlErrorCode])[] = [
  [/after calling end on the pool|Client was closed|PGlite is closed|is not queryable/, "closed"],
  [/Connection terminated|timeout exceeded when trying to connect|timeout expired/, "unreachable"],
]

/** Names the failure that an error of the driver reports. */
export function diagnose(error: unknown): Diagnosis {
  if (error instanceof SqlError) return error
  const message = error instanceof Error ? error.message : ""
  const state = textIn(error, "code")
  const known =
    state === undefined ? byMessage.find(([pattern]) => pattern.test(message)) : undefined
  const detail = known || (state && nameful.test(state)) ? message : (state ?? "")
  const code = known?.[1] ?? codeOf(error, state)
  return { code, detail, cause: withoutValues(error, detail) }
}

/** Tells whether another transaction has to finish first; the statement was taken back. */
export function isBusy(error: unknown): boolean {
  return diagnose(error).code === "busy"
}

function codeOf(error: unknown, state: string | undefined): SqlErrorCode {
  if (networkCode(error) !== undefined) return "unreachable"
  if (state === undefined) return "failed"
  return byState[state] ?? (away.test(state) ? "unreachable" : "failed")
}

/** Fields of the driver's error quote the row that was refused, and PGlite's the parameters. */
function withoutValues(error: unknown, detail: string): Error {
  const code = networkCode(error) ?? textIn(error, "code")
  const constraint = textIn(error, "constraint")
  const message = detail || code || "the driver gave no code"
  return new DriverError({
    name: "DatabaseError",
    message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
  })
}
