/** From values of JavaScript, which nobody has checked yet, to what is written as JSON. */

/** What a field of a record holds. */
export type FieldKind = "boolean" | "date" | "integer" | "json" | "key" | "number" | "text"

const loneSurrogate = /\p{Surrogate}/u

/**
 * Turns a value into what is written into a field. Undefined and null become null.
 * @throws TypeError naming the field when the value is of another kind
 */
export function encodeValue(field: string, kind: FieldKind, value: unknown): unknown {
  if (value === undefined || value === null) return null
  return encoders[kind](value, field)
}

const encoders: Readonly<Record<FieldKind, (value: unknown, field: string) => unknown>> = {
  boolean: (value, field) => {
    if (typeof value !== "boolean") throw invalidValueError(field, "a boolean")
    return value
  },
  date: toMilliseconds,
  integer: (value, field) => {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw invalidValueError(field, "a number")
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER))
  },
  json: (value, field) => {
    const encoded = toJsonText(value)
    if (encoded === undefined) throw invalidValueError(field, "a value that JSON can carry")
    return JSON.parse(encoded)
  },
  key: toKeyText,
  number: (value, field) => {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw invalidValueError(field, "a number")
    return value
  },
  text: toKeyText,
}

/**
 * A date in milliseconds since 1970.
 * @throws TypeError naming the field
 */
export function toMilliseconds(value: unknown, field: string): number {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.getTime()
  throw invalidValueError(field, "a valid Date")
}

/**
 * Text that is part of a name.
 * @throws TypeError naming the field
 */
export function toKeyText(value: unknown, field: string): string {
  const text = toLookupText(value, field)
  if (text === null) throw invalidValueError(field, "well-formed text")
  return text
}

/**
 * Text that something is looked up by; null when nothing can have it.
 * @throws TypeError naming the field when the value is not text
 */
export function toLookupText(value: unknown, field: string): string | null {
  // Providers give ids as numbers, too; one account must not have two names.
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  if (typeof text !== "string") throw invalidValueError(field, "text")
  // Drivers replace lone surrogates by one and the same character: two names would become one.
  return loneSurrogate.test(text) ? null : text
}

function toJsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // A circle, or a big integer. The caller says which field it is.
    return undefined
  }
}

function invalidValueError(field: string, expected: string): TypeError {
  return new TypeError(`${field} must be ${expected}.`)
}
