import {
  invalidValueError,
  toLookupText as kitToLookupText,
  parseAccountType,
  parseText,
  parseValue,
  recordFields,
} from "@latchkey/adapter-kit"
import type { Codecs, ColumnKind } from "../engine.ts"
import type { StoreCodecs } from "./id-codecs.ts"
import { maxLengthOf } from "./key-lengths.ts"

/**
 * Encodes the defined fields of a record for the driver, by field. Fields that are not stored are left out.
 * @throws TypeError naming the column if a value is of another kind, or longer than the column
 */
export function encodeRecord(
  codecs: StoreCodecs,
  entity: keyof typeof recordFields,
  source: object,
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [field, kind] of Object.entries(recordFields[entity])) {
    const value: unknown = Reflect.get(source, field)
    if (value === undefined) continue
    const column = `${entity}.${field}`
    const isId = column === "User.id" || (field === "userId" && !entity.startsWith("Latchkey"))
    row[field] =
      column === "Account.type"
        ? parseAccountType(value)
        : encodeValue(codecs, column, isId ? "id" : kind, value)
  }
  return row
}

/**
 * Encodes a value for the driver. Undefined and null become null, except that JSON has a null of its own.
 * @throws TypeError naming the column if the value is of another kind, or longer than the column
 */
export function encodeValue(
  codecs: StoreCodecs,
  column: string,
  kind: ColumnKind,
  value: unknown,
): unknown {
  if (value === undefined || (value === null && kind !== "json")) return null
  const limits = getLimits(codecs, column)
  if (kind === "id") {
    const id = codecs.id.encode(parseText(value, column, limits))
    if (id === null) throw invalidValueError(column, "an id that the database made")
    return id
  }
  if (kind === "boolean") return codecs.boolean.encode(parseValue(kind, value, column))
  if (kind === "date") {
    const date = codecs.date.encode(parseValue(kind, value, column))
    if (date === undefined) throw invalidValueError(column, "a Date of a year from 1000 to 9999")
    return date
  }
  return parseValue(kind, value, column, limits)
}

/**
 * Returns text to look a row up by; null if no row can have it.
 * @throws TypeError naming the column if the value is not text
 */
export function toLookupText(codecs: Codecs, value: unknown, column: string): string | null {
  return kitToLookupText(value, column, getLimits(codecs, column))
}

/** Returns the id to look a row up by; null if no row can have it. */
export function toLookupId(codecs: StoreCodecs, value: unknown, column: string): unknown {
  const text = toLookupText(codecs, value, column)
  return text === null ? null : codecs.id.encode(text)
}

function getLimits({ supportsNul }: Codecs, column: string) {
  return { supportsNul, maxLength: maxLengthOf(column) }
}
