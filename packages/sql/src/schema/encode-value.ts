/** From values of JavaScript, which nobody has checked yet, to what the driver writes. */
import type { Codecs, ColumnKind } from "../engine.ts"
import type { StoreCodecs } from "./id-codecs.ts"
import { maxLengthOf } from "./key-lengths.ts"

/** The values of each kind of column. */
export interface KindValues {
  boolean: boolean
  date: Date
  id: string
  integer: number
  json: unknown
  key: string
  number: number
  text: string
}

const loneSurrogate = /\p{Surrogate}/u

/**
 * Turns a value into what the driver writes into a column of a kind. Undefined and null become null.
 * @throws TypeError naming the column when the value is of another kind, or longer than the column
 */
export function encodeValue(
  codecs: StoreCodecs,
  column: string,
  kind: ColumnKind,
  value: unknown,
): unknown {
  if (value === undefined || (value === null && kind !== "json")) return null
  return encoders[kind](value, column, codecs)
}

const encoders: Readonly<
  Record<ColumnKind, (value: unknown, column: string, codecs: StoreCodecs) => unknown>
> = {
  boolean: (value, column, codecs) => {
    if (typeof value !== "boolean") throw invalidValueError(column, "a boolean")
    return codecs.boolean.encode(value)
  },
  date: (value, column, codecs) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
      throw invalidValueError(column, "a valid Date")
    }
    const encoded = codecs.date.encode(value)
    if (encoded === undefined) throw invalidValueError(column, "a Date of a year from 1000 to 9999")
    return encoded
  },
  id: (value, column, codecs) => {
    const id = codecs.id.encode(encodeText(value, column, codecs))
    if (id === null) throw invalidValueError(column, "an id that the database made")
    return id
  },
  integer: (value, column) => {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw invalidValueError(column, "a number")
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER))
  },
  json: (value, column, codecs) => {
    const encoded = codecs.json.encode(value)
    if (encoded === undefined) throw invalidValueError(column, "a value that JSON can carry")
    return encoded
  },
  key: encodeText,
  number: (value, column) => {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw invalidValueError(column, "a number")
    return value
  },
  text: encodeText,
}

/**
 * Text that a row is looked up by; null when no row can have it.
 * @throws TypeError naming the column when the value is not text
 */
export function toLookupText(codecs: Codecs, value: unknown, column: string): string | null {
  const text = toText(value, column)
  return text.length > maxLengthOf(column) || isUnsupportedText(text, codecs) ? null : text
}

/** The id that a row is looked up by; null when no row can have it. */
export function toLookupId(codecs: StoreCodecs, value: unknown, column: string): unknown {
  const text = toLookupText(codecs, value, column)
  return text === null ? null : codecs.id.encode(text)
}

function encodeText(value: unknown, column: string, codecs: Codecs): string {
  const text = toText(value, column)
  if (isUnsupportedText(text, codecs)) {
    throw invalidValueError(
      column,
      codecs.supportsNul ? "well-formed text" : "well-formed text without NUL",
    )
  }
  const maxLength = maxLengthOf(column)
  if (text.length > maxLength)
    throw invalidValueError(column, `text of ${maxLength} characters at most`)
  return text
}

// Databases replace lone surrogates by one and the same character: two names would become one.
function isUnsupportedText(text: string, { supportsNul }: Codecs): boolean {
  return loneSurrogate.test(text) || (!supportsNul && text.includes("\0"))
}

/** Providers give ids as numbers, too; one account must not have two names. */
function toText(value: unknown, column: string): string {
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  if (typeof text !== "string") throw invalidValueError(column, "text")
  return text
}

function invalidValueError(column: string, expected: string): TypeError {
  return new TypeError(`${column} must be ${expected}.`)
}
