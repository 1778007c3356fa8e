/** Records are kept as JSON: fields without a value are left out, dates are milliseconds since 1970. */
import { type FieldKind, stored } from "./stored.ts"

/** The fields of a record, by name. */
export type Fields = Readonly<Record<string, FieldKind>>

/** A record as it is kept. */
export type Stored = Readonly<Record<string, unknown>>

/**
 * Takes those fields out of an object that are given and known.
 * @throws TypeError naming the field whose value cannot be stored
 */
export function fieldsOf(entity: string, fields: Fields, given: object): Stored {
  const record: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Reflect.get(given, name)
    if (value !== undefined) record[name] = stored(`${entity}.${name}`, kind, value)
  }
  return record
}

/** Writes a record. */
export function written(record: Stored): string {
  const present = Object.entries(record).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(present))
}

/** Reads a record. */
export function read(text: string): Stored {
  const record: unknown = JSON.parse(text)
  if (typeof record !== "object" || record === null) throw new TypeError("A record is no object.")
  return Object.fromEntries(Object.entries(record))
}

/** Text that every record has. */
export function text(record: Stored, field: string): string {
  const value = record[field]
  if (typeof value !== "string") throw new TypeError(`Field ${field} must hold text.`)
  return value
}

/** Text, or null. */
export function textOrNull(record: Stored, field: string): string | null {
  return (record[field] ?? null) === null ? null : text(record, field)
}

/** A number that every record has. */
export function number(record: Stored, field: string): number {
  const value = record[field]
  if (typeof value !== "number") throw new TypeError(`Field ${field} must hold a number.`)
  return value
}

/** A date, or null. */
export function dateOrNull(record: Stored, field: string): Date | null {
  return (record[field] ?? null) === null ? null : new Date(number(record, field))
}
