/** From values of JavaScript, which nobody has checked yet, to what the driver writes. */
import type { Codecs, ColumnKind } from "../engine.ts"

/** The values of each kind of column. */
export interface Kinds {
  boolean: boolean
  date: Date
  integer: number
  json: unknown
  key: string
  number: number
  text: string
}

const loneSurrogate = /\p{Surrogate}/u

/**
 * Turns a value into what the driver writes into a column of a kind. Undefined and null become null.
 * @throws TypeError naming the column when the value is of another kind
 */
export function stored(codecs: Codecs, column: string, kind: ColumnKind, value: unknown): unknown {
  if (value === undefined || (value === null && kind !== "json")) return null
  return writers[kind](value, column, codecs)
}

const writers: Readonly<
  Record<ColumnKind, (value: unknown, column: string, codecs: Codecs) => unknown>
> = {
  boolean: (value, column, codecs) => {
    if (typeof value !== "boolean") throw mistake(column, "a boolean")
    return codecs.boolean.encode(value)
  },
  date: (value, column, codecs) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
      throw mistake(column, "a valid Date")
    }
    return codecs.date.encode(value)
  },
  integer: (value, column) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw mistake(column, "a number")
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER))
  },
  json: (value, column, codecs) => {
    const written = codecs.json.encode(value)
    if (written === undefined) throw mistake(column, "a value that JSON can carry")
    return written
  },
  key: (value, column) => textOf(value, column),
  number: (value, column) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw mistake(column, "a number")
    return value
  },
  text: (value, column) => textOf(value, column),
}

/**
 * Text that a row is looked up by; null when no row can have it.
 * @throws TypeError naming the column when the value is not text
 */
export function lookup(value: unknown, column: string): string | null {
  // Providers give ids as numbers, too; one account must not have two names.
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  if (typeof text !== "string") throw mistake(column, "text")
  // Databases replace lone surrogates by one and the same character: two names would become one.
  return loneSurrogate.test(text) ? null : text
}

function textOf(value: unknown, column: string): string {
  const text = lookup(value, column)
  if (text === null) throw mistake(column, "well-formed text")
  return text
}

function mistake(column: string, expected: string): TypeError {
  return new TypeError(`${column} must be ${expected}.`)
}
