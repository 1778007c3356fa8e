/** From what the driver reads to values of JavaScript. Names the column when a row is not as it was written. */
import type { Codecs, Row } from "../engine.ts"
import type { StoreCodecs } from "./id-codecs.ts"

/** Text that every row has. */
export function readText(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== "string") throw new TypeError(`Column ${column} must hold text.`)
  return value
}

/** Text, or null. */
export function readTextOrNull(row: Row, column: string): string | null {
  const value = row[column]
  return value === null ? null : readText(row, column)
}

/** An id that every row has. */
export function readId(row: Row, column: string, codecs: StoreCodecs): string {
  return codecs.id.decode(row[column])
}

/** A whole number; drivers give large ones as text or bigint. */
export function readInteger(row: Row, column: string): number {
  const value = Number(row[column] ?? Number.NaN)
  if (!Number.isSafeInteger(value)) throw new TypeError(`Column ${column} must hold an integer.`)
  return value
}

/** A date that every row has. */
export function readDate(row: Row, column: string, codecs: Codecs): Date {
  return codecs.date.decode(row[column])
}

/** A date, or null. */
export function readDateOrNull(row: Row, column: string, codecs: Codecs): Date | null {
  const value = row[column]
  return value === null ? null : codecs.date.decode(value)
}
