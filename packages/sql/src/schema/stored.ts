/** From values of JavaScript, which nobody has checked yet, to what the driver writes. */
import type { Codecs, ColumnKind } from "../engine.ts"
import type { StoreCodecs } from "./ids.ts"
import { longestIn } from "./limits.ts"

/** The values of each kind of column. */
export interface Kinds {
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
export function stored(
  codecs: StoreCodecs,
  column: string,
  kind: ColumnKind,
  value: unknown,
): unknown {
  if (value === undefined || (value === null && kind !== "json")) return null
  return writers[kind](value, column, codecs)
}

const writers: Readonly<
  Record<ColumnKind, (value: unknown, column: string, codecs: StoreCodecs) => unknown>
> = {
  boolean: (value, column, codecs) => {
    if (typeof value !== "boolean") throw mistake(column, "a boolean")
    return codecs.boolean.encode(value)
  },
  date: (value, column, codecs) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
      throw mistake(column, "a valid Date")
    }
    const written = codecs.date.encode(value)
    if (written === undefined) throw mistake(column, "a Date of a year from 1000 to 9999")
    return written
  },
  id: (value, column, codecs) => {
    const id = codecs.id.encode(textOf(value, column, codecs))
    if (id === null) throw mistake(column, "an id that the database made")
    return id
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
  key: textOf,
  number: (value, column) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw mistake(column, "a number")
    return value
  },
  text: textOf,
}

/**
 * Text that a row is looked up by; null when no row can have it.
 * @throws TypeError naming the column when the value is not text
 */
export function lookup(codecs: Codecs, value: unknown, column: string): string | null {
  const text = textual(value, column)
  return text.length > longestIn(column) || isUnwritable(text, codecs) ? null : text
}

/** The id that a row is looked up by; null when no row can have it. */
export function lookupId(codecs: StoreCodecs, value: unknown, column: string): unknown {
  const text = lookup(codecs, value, column)
  return text === null ? null : codecs.id.encode(text)
}

function textOf(value: unknown, column: string, codecs: Codecs): string {
  const text = textual(value, column)
  if (isUnwritable(text, codecs)) {
    throw mistake(column, codecs.holdsNul ? "well-formed text" : "well-formed text without NUL")
  }
  const longest = longestIn(column)
  if (text.length > longest) throw mistake(column, `text of ${longest} characters at most`)
  return text
}

// Databases replace lone surrogates by one and the same character: two names would become one.
function isUnwritable(text: string, { holdsNul }: Codecs): boolean {
  return loneSurrogate.test(text) || (!holdsNul && text.includes("\0"))
}

/** Providers give ids as numbers, too; one account must not have two names. */
function textual(value: unknown, column: string): string {
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  if (typeof text !== "string") throw mistake(column, "text")
  return text
}

function mistake(column: string, expected: string): TypeError {
  return new TypeError(`${column} must be ${expected}.`)
}
