/** Records are stored as JSON: fields without a value are left out, dates are milliseconds since 1970. */
import { parseValue, type ValueKind } from "@latchkey/adapter-kit"

/** A record in its stored form. */
export type StoredRecord = Readonly<Record<string, unknown>>

/**
 * Encodes the defined fields of a record.
 * @throws TypeError naming the field whose value cannot be stored
 */
export function toStoredRecord(
  entity: string,
  fields: Readonly<Record<string, ValueKind>>,
  source: object,
): StoredRecord {
  const record: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Reflect.get(source, name)
    if (value !== undefined) record[name] = encodeValue(`${entity}.${name}`, kind, value)
  }
  return record
}

function encodeValue(field: string, kind: ValueKind, value: unknown): unknown {
  if (value === null) return null
  if (kind === "date") return parseValue(kind, value, field).getTime()
  if (kind === "json") return JSON.parse(parseValue(kind, value, field))
  return parseValue(kind, value, field)
}

/** Serializes a record. */
export function serializeRecord(record: StoredRecord): string {
  const present = Object.entries(record).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(present))
}

/** Parses a stored record. */
export function parseRecord(text: string): StoredRecord {
  const record: unknown = JSON.parse(text)
  if (typeof record !== "object" || record === null) throw new TypeError("A record is no object.")
  return Object.fromEntries(Object.entries(record))
}

/** Reads a required number. */
export function readNumber(record: StoredRecord, field: string): number {
  const value = record[field]
  if (typeof value !== "number") throw new TypeError(`Field ${field} must hold a number.`)
  return value
}

/** Reads an optional date. */
export function readDateOrNull(record: StoredRecord, field: string): Date | null {
  return (record[field] ?? null) === null ? null : new Date(readNumber(record, field))
}
