import { isDate } from "./is-date.ts"

/** Kinds of stored values. A `key` is text that records are found by. */
export type ValueKind = "boolean" | "date" | "integer" | "json" | "key" | "number" | "text"

/** Limits of a database on text. */
export interface TextLimits {
  /** In UTF-16 code units. @defaultValue unlimited */
  readonly maxLength?: number
  /** Whether text may contain the character NUL. @defaultValue true */
  readonly supportsNul?: boolean
}

/** The type that `parseValue` returns for each kind. */
type ParsedValues = Record<"key" | "text" | "json", string> &
  Record<"integer" | "number", number> & { boolean: boolean; date: Date }

const parsers: {
  readonly [Kind in ValueKind]: (
    value: unknown,
    name: string,
    limits: TextLimits,
  ) => ParsedValues[Kind]
} = {
  boolean: (value, name) => {
    if (typeof value === "boolean") return value
    throw invalidValueError(name, "a boolean")
  },
  date: (value, name) => {
    if (isDate(value) && !Number.isNaN(value.getTime())) return value
    throw invalidValueError(name, "a valid Date")
  },
  integer: (value, name) =>
    Math.max(
      Number.MIN_SAFE_INTEGER,
      Math.min(Math.floor(parseNumber(value, name)), Number.MAX_SAFE_INTEGER),
    ),
  json: (value, name) => {
    try {
      const text: string | undefined = JSON.stringify(value)
      if (text !== undefined) return text
    } catch {
      // a cycle or a bigint
    }
    throw invalidValueError(name, "a value that JSON can carry")
  },
  key: parseText,
  number: parseNumber,
  text: parseText,
}

/**
 * Checks a value before it is stored. Numbers of kind `integer` are rounded down; values of kind `json` become text.
 *
 * @param name names the value in errors, such as `User.email`
 * @throws TypeError if the value is of another kind or beyond the limits
 */
export function parseValue<Kind extends ValueKind>(
  kind: Kind,
  value: unknown,
  name: string,
  limits: TextLimits = {},
): ParsedValues[Kind] {
  return parsers[kind](value, name, limits)
}

/**
 * Checks text before it is stored.
 * @throws TypeError if the value is not text or beyond the limits
 */
export function parseText(value: unknown, name: string, limits: TextLimits = {}): string {
  const text = toText(value, name)
  if (!isStorableText(text, limits)) {
    const isNulRefused = limits.supportsNul === false
    throw invalidValueError(name, `well-formed text${isNulRefused ? " without NUL" : ""}`)
  }
  const { maxLength = Number.POSITIVE_INFINITY } = limits
  if (text.length <= maxLength) return text
  throw invalidValueError(name, `text of ${maxLength} characters at most`)
}

/**
 * Returns text to look a record up by; null if no record can have it.
 * @throws TypeError if the value is not text
 */
export function toLookupText(value: unknown, name: string, limits: TextLimits = {}): string | null {
  const text = toText(value, name)
  const { maxLength = Number.POSITIVE_INFINITY } = limits
  return text.length <= maxLength && isStorableText(text, limits) ? text : null
}

/**
 * Whether a database stores text unchanged. Databases and drivers replace every lone surrogate with the same character,
 * which would make two keys equal.
 */
export function isStorableText(text: string, { supportsNul = true }: TextLimits = {}): boolean {
  return !/\p{Surrogate}/u.test(text) && (supportsNul || !text.includes("\0"))
}

/** Creates the error for a value that cannot be stored. */
export function invalidValueError(name: string, expected: string): TypeError {
  return new TypeError(`${name} must be ${expected}.`)
}

/** Some providers send ids as numbers: `4711` and `"4711"` must name the same account. */
function toText(value: unknown, name: string): string {
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  if (typeof text === "string") return text
  throw invalidValueError(name, "text")
}

function parseNumber(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value
  throw invalidValueError(name, "a number")
}
