/** Records are kept as JSON: fields without a value are left out, dates are milliseconds since 1970. */
import { encodeValue, type FieldKind } from "./encode-value.ts"

/** The fields of a record, by name. */
export type FieldKinds = Readonly<Record<string, FieldKind>>

/** A record as it is kept. */
export type StoredRecord = Readonly<Record<string, unknown>>

/**
 * Takes those fields out of an object that are given and known.
 * @throws TypeError naming the field whose value cannot be stored
 */
export function toStoredRecord(entity: string, fields: FieldKinds, source: object): StoredRecord {
  const record: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Reflect.get(source, name)
    if (value !== undefined) record[name] = encodeValue(`${entity}.${name}`, kind, value)
  }
  return record
}

/** Writes a record. */
export function serializeRecord(record: StoredRecord): string {
  const present = Object.entries(record).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(present))
}

/** Reads a record. */
export function parseRecord(text: string): StoredRecord {
  const record: unknown = JSON.parse(text)
  if (typeof record !== "object" || record === null) throw new TypeError("A record is no object.")
  return Object.fromEntries(Object.entries(record))
}

/** Text that every record has. */
export function readText(record: StoredRecord, field: string): string {
  const value = record[field]
  if (typeof value !== "string") throw new TypeError(`Field ${field} must hold text.`)
  return value
}

/** Text, or null. */
export function readTextOrNull(record: StoredRecord, field: string): string | null {
  return (record[field] ?? null) === null ? null : readText(record, field)
}

/** A number that every record has. */
export function readNumber(record: StoredRecord, field: string): number {
  const value = record[field]
  if (typeof value !== "number") throw new TypeError(`Field ${field} must hold a number.`)
  return value
}

/** A date, or null. */
export function readDateOrNull(record: StoredRecord, field: string): Date | null {
  return (record[field] ?? null) === null ? null : new Date(readNumber(record, field))
}
