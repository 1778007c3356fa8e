import type { Codecs, Row } from "../engine.ts"
import type { StoreCodecs } from "./id-codecs.ts"

/** Reads a required id. */
export function readId(row: Row, column: string, codecs: StoreCodecs): string {
  return codecs.id.decode(row[column])
}

/** Reads a required whole number, which drivers return as text or bigint if it is large. */
export function readInteger(row: Row, column: string): number {
  const value = Number(row[column] ?? Number.NaN)
  if (!Number.isSafeInteger(value)) throw new TypeError(`Column ${column} must hold an integer.`)
  return value
}

/** Reads a required date. */
export function readDate(row: Row, column: string, codecs: Codecs): Date {
  return codecs.date.decode(row[column])
}

/** Reads an optional date. */
export function readDateOrNull(row: Row, column: string, codecs: Codecs): Date | null {
  const value = row[column]
  return value === null ? null : codecs.date.decode(value)
}

/**
 * Parses stored JSON. All engines keep it as text, as `JSON.stringify` wrote it: their JSON types would lose some of
 * it, and drivers disagree on whether to parse them. Text that is not JSON, from another library, is returned as it is.
 */
export function decodeJson(stored: unknown): unknown {
  if (typeof stored !== "string") throw new TypeError("Expected text in a JSON column.")
  try {
    return JSON.parse(stored)
  } catch {
    return stored
  }
}
